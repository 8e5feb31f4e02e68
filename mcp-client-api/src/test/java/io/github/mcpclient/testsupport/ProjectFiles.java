package io.github.mcpclient.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of the project, from whichever module a test runs in.
 */
public final class ProjectFiles {

	private static final Path ROOT = find();

	private ProjectFiles() {
	}

	/**
	 * A file or folder.
	 * @param path its path, seen from the root of the project
	 */
	public static Path of(String path) {
		return ROOT.resolve(path);
	}

	/**
	 * The root of the project.
	 */
	public static Path root() {
		return ROOT;
	}

	private static Path find() {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.exists(folder.resolve(".mvn"))) {
			folder = folder.getParent();
		}
		return folder;
	}

}
