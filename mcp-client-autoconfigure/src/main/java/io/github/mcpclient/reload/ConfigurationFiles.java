package io.github.mcpclient.reload;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * The files from which a configuration was read, or would have been read if they existed,
 * with their state before they were read. Not thread-safe.
 */
final class ConfigurationFiles {

	// further files of a configuration are not watched
	private static final int MOST = 10_000;

	private static final int DEEPEST = 100;

	private final Map<Path, Stamp> files = new LinkedHashMap<>();

	// directories whose files are properties
	private final Set<Path> trees = new TreeSet<>();

	private final Map<Path, Stamp> filesOfTrees = new HashMap<>();

	// directories of directories
	private final Set<Path> parents = new TreeSet<>();

	/**
	 * Return a loader that records the files that it loads. Spring Boot calls it for each
	 * possible name of a configuration file, even if there is no such file.
	 */
	ResourceLoader notedBy(ResourceLoader loader) {
		return new ResourceLoader() {

			@Override
			public Resource getResource(String location) {
				Resource resource = loader.getResource(location);
				Path path = path(resource);
				if (path != null && location.endsWith("/")) {
					ConfigurationFiles.this.parents.add(path);
				}
				else {
					add(resource);
				}
				return resource;
			}

			@Override
			public @Nullable ClassLoader getClassLoader() {
				return loader.getClassLoader();
			}

		};
	}

	private static @Nullable Path path(Resource resource) {
		try {
			return resource.isFile() ? resource.getFile().toPath() : null;
		}
		catch (IOException | InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Add a file, which need not exist.
	 */
	void add(Path file) {
		Path absolute = file.toAbsolutePath().normalize();
		if (this.files.size() < MOST && !this.files.containsKey(absolute)) {
			this.files.put(absolute, Stamp.of(absolute));
		}
	}

	void add(Resource resource) {
		Path path = path(resource);
		if (path != null) {
			add(path);
		}
	}

	/**
	 * Add all files below a directory, which need not exist.
	 */
	void addTree(Path directory) {
		Path absolute = directory.toAbsolutePath().normalize();
		if (this.trees.add(absolute)) {
			walk(absolute, this.filesOfTrees);
		}
	}

	/**
	 * Add the files of a location such as {@code config/*}{@code /}: files with any of
	 * the known names, in each directory that exists now.
	 */
	void addSubdirectories() {
		Set<Path> names = new HashSet<>();
		this.files.keySet().forEach((file) -> names.add(file.getFileName()));
		for (Path parent : this.parents) {
			try (var directories = Files.newDirectoryStream(parent, Files::isDirectory)) {
				for (Path directory : directories) {
					if (!isHidden(directory)) {
						names.forEach((name) -> add(directory.resolve(name)));
					}
				}
			}
			catch (IOException | RuntimeException ex) {
				// no directory any more
			}
		}
		this.parents.clear();
	}

	/**
	 * Add the files of another instance, with their current state.
	 */
	void addAll(ConfigurationFiles others) {
		others.files.keySet().forEach(this::add);
		others.trees.forEach(this::addTree);
	}

	/**
	 * Return the files that are not below a tree.
	 */
	Set<Path> files() {
		return this.files.keySet();
	}

	/**
	 * Return the state of each file before it was read.
	 */
	Map<Path, Stamp> before() {
		Map<Path, Stamp> before = new HashMap<>(this.filesOfTrees);
		before.putAll(this.files);
		return before;
	}

	/**
	 * Return the current state of each file.
	 */
	Map<Path, Stamp> now() {
		Map<Path, Stamp> now = new HashMap<>();
		this.trees.forEach((tree) -> walk(tree, now));
		this.files.keySet().forEach((file) -> now.put(file, Stamp.of(file)));
		return now;
	}

	/**
	 * Names that begin with two dots belong to Kubernetes, which has another copy of all
	 * files below them.
	 */
	private static void walk(Path tree, Map<Path, Stamp> found) {
		try {
			Files.walkFileTree(tree, Set.of(FileVisitOption.FOLLOW_LINKS), DEEPEST, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
					return (isHidden(directory) && !directory.equals(tree)) ? FileVisitResult.SKIP_SUBTREE
							: FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
					if (!isHidden(file)) {
						found.put(file, Stamp.of(attributes));
					}
					return (found.size() < MOST) ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
				}

				@Override
				public FileVisitResult visitFileFailed(Path file, IOException ex) {
					return FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException ex) {
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException ex) {
			// a directory that cannot be listed has no files
		}
	}

	private static boolean isHidden(Path path) {
		return path.getFileName() != null && path.getFileName().toString().startsWith("..");
	}

	/**
	 * The state of a file, with links followed. A file that replaces another file has a
	 * different key, if the file system supports keys.
	 *
	 * @param modified when it was modified last, or {@code null} if it does not exist
	 */
	record Stamp(@Nullable FileTime modified, long size, @Nullable Object key) {

		static Stamp of(Path file) {
			try {
				return of(Files.readAttributes(file, BasicFileAttributes.class));
			}
			catch (IOException | SecurityException ex) {
				return new Stamp(null, 0, null);
			}
		}

		static Stamp of(BasicFileAttributes attributes) {
			return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
		}

		boolean isSince(Instant time) {
			return this.modified != null && !this.modified.toInstant().isBefore(time);
		}

	}

}
