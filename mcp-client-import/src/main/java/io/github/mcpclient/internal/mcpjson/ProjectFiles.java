package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

import io.github.mcpclient.config.ImportedProperties.FileListener;
import io.github.mcpclient.internal.support.SmallFiles;
import io.github.mcpclient.internal.support.SmallFiles.UnreadableFileException;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

/**
 * The base directory of the relative names in a file of servers.
 *
 * @param listener is notified of the files that are read
 */
record ProjectFiles(Path directory, Path project, FileListener listener) {

	// directories of clients within a project
	private static final Set<String> CLIENT_DIRECTORIES = Set.of(".vscode", ".cursor", ".roo", ".gemini", ".amazonq",
			".kiro", ".claude", ".codeium", ".windsurf", ".zed", ".opencode", ".copilot", ".github", ".junie", ".idea",
			".lmstudio");

	static ProjectFiles around(Resource resource, FileListener listener) {
		try {
			if (resource.isFile()) {
				Path parent = resource.getFile().toPath().toAbsolutePath().normalize().getParent();
				if (parent != null) {
					return new ProjectFiles(parent, project(parent), listener);
				}
			}
		}
		catch (IOException | InvalidPathException ex) {
			// not a file
		}
		Path working = Path.of("").toAbsolutePath();
		return new ProjectFiles(working, project(working), listener);
	}

	/**
	 * Return the directory of the file, or the one above if that is the directory of a
	 * client.
	 */
	String projectDirectory() {
		return this.project.toString();
	}

	boolean isRelative(String name) {
		return !name.isBlank() && "${/\\~".indexOf(name.charAt(0)) == -1 && !name.matches("(?s)[A-Za-z]:.*");
	}

	String read(String name) throws JsonFileException {
		try {
			Path file = name.startsWith("~/") ? Path.of(System.getProperty("user.home"), name.substring(2))
					: this.directory.resolve(name.strip()).normalize();
			this.listener.onFile(file);
			if (!Files.isRegularFile(file)) {
				throw new JsonFileException("There is no file " + file + " to read the value from. Create it.");
			}
			String subject = "The file " + file + ", which the value is read from,";
			return SmallFiles.decode(SmallFiles.read(new FileSystemResource(file), subject, "a value"), subject)
				.strip();
		}
		catch (InvalidPathException ex) {
			throw new JsonFileException("The name of the file for the value is not a valid file name.");
		}
		catch (UnreadableFileException ex) {
			throw new JsonFileException(String.valueOf(ex.getMessage()));
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
