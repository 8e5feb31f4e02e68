package io.github.mcpclient.config.mcpjson;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

import org.springframework.core.io.Resource;

/**
 * The files around a file of servers, to which names in it are relative.
 */
final class ProjectFiles {

	private static final int MAX_SIZE = 1024 * 1024;

	/**
	 * Directories that clients keep their files in, within a project.
	 */
	private static final Set<String> CLIENT_DIRECTORIES = Set.of(".vscode", ".cursor", ".roo", ".gemini", ".amazonq",
			".kiro", ".claude", ".codeium", ".windsurf", ".zed", ".opencode", ".copilot", ".github", ".junie", ".idea",
			".lmstudio");

	private final Path directory;

	private final Path project;

	private ProjectFiles(Path directory) {
		this.directory = directory;
		this.project = project(directory);
	}

	static ProjectFiles around(Resource resource) {
		try {
			if (resource.isFile()) {
				Path parent = resource.getFile().toPath().toAbsolutePath().normalize().getParent();
				if (parent != null) {
					return new ProjectFiles(parent);
				}
			}
		}
		catch (IOException | InvalidPathException ex) {
			// not a file
		}
		return new ProjectFiles(Path.of("").toAbsolutePath());
	}

	/**
	 * Return the directory of the project: where the file is, or above the directory in
	 * which a client keeps it.
	 */
	String projectDirectory() {
		return this.project.toString();
	}

	String separator() {
		return File.separator;
	}

	boolean isRelative(String name) {
		return !name.isBlank() && !name.startsWith("$") && !name.startsWith("{") && !name.startsWith("/")
				&& !name.startsWith("\\") && !name.startsWith("~") && !name.matches("[A-Za-z]:.*");
	}

	String read(String name) throws JsonFileException {
		Path file = resolve(name);
		// a pipe or a device may block, or never end
		if (!Files.isRegularFile(file)) {
			throw new JsonFileException("There is no file " + file + ", which the value stands in. Create it.");
		}
		try (InputStream content = Files.newInputStream(file)) {
			byte[] bytes = content.readNBytes(MAX_SIZE + 1);
			if (bytes.length > MAX_SIZE) {
				throw new JsonFileException("The file " + file + " is larger than 1MB, which is not a value.");
			}
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString().strip();
		}
		catch (CharacterCodingException ex) {
			throw new JsonFileException("The file " + file + ", which the value stands in, is not in UTF-8.");
		}
		catch (IOException ex) {
			throw new JsonFileException("The file " + file
					+ ", which the value stands in, cannot be read. Check that the application may read it.");
		}
	}

	private Path resolve(String name) throws JsonFileException {
		try {
			return name.startsWith("~/") ? Path.of(System.getProperty("user.home"), name.substring(2))
					: this.directory.resolve(name.strip()).normalize();
		}
		catch (InvalidPathException ex) {
			throw new JsonFileException("The value stands in a file whose name is not one.");
		}
	}

	private static Path project(Path directory) {
		Path candidate = directory;
		// .kiro/settings/mcp.json is two levels down
		for (int i = 0; i < 2 && candidate != null && candidate.getFileName() != null; i++) {
			Path parent = candidate.getParent();
			if (parent != null
					&& CLIENT_DIRECTORIES.contains(candidate.getFileName().toString().toLowerCase(Locale.ROOT))) {
				return parent;
			}
			candidate = parent;
		}
		return directory;
	}

}
