package io.github.mcpclient.migration;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.FileSystemResource;

/**
 * Prints the YAML of this client for the properties of Spring AI's MCP client,
 * {@code spring.ai.mcp.client.*}, that are in files of an application. A program for the
 * command line: {@code SpringAiMigration application.yml application-prod.properties}.
 *
 * <p>
 * Each document of a file becomes a document with the same condition, such as
 * {@code spring.config.activate.on-profile}. Placeholders are unchanged. A property
 * without a counterpart is named in a comment, with the reason. No file is changed and no
 * server is contacted.
 */
public final class SpringAiMigration {

	private SpringAiMigration() {
	}

	/**
	 * Print the YAML to the standard output. On failure, print the reason to standard
	 * error, and exit with status 1.
	 * @param files paths of {@code .yml}, {@code .yaml} and {@code .properties} files,
	 * starting with the file of shared settings
	 */
	public static void main(String... files) {
		if (!translate(System.out, System.err, files)) {
			System.exit(1);
		}
	}

	static boolean translate(PrintStream out, PrintStream err, String... files) {
		if (files.length == 0) {
			err.println("Name the files to translate, such as src/main/resources/application.yml.");
			return false;
		}
		List<SpringAiDocument> documents = new ArrayList<>();
		for (String file : files) {
			try {
				documents.addAll(read(file));
			}
			catch (IOException | RuntimeException ex) {
				err.println("Nothing is translated, since this cannot be read: " + file + ": " + ex.getMessage());
				return false;
			}
		}
		SpringAiConnections connections = SpringAiConnections.of(documents);
		out.print(documents.isEmpty()
				? "# Nothing is below " + SpringAiDocument.PREFIX + " in " + String.join(", ", files) + "\n"
				: documents.stream()
					.map((document) -> new SpringAiTranslation(document, connections).yaml())
					.collect(Collectors.joining("---\n")));
		return true;
	}

	private static List<SpringAiDocument> read(String file) throws IOException {
		PropertySourceLoader loader = file.endsWith(".properties") ? new PropertiesPropertySourceLoader()
				: new YamlPropertySourceLoader();
		return loader.load(file, new FileSystemResource(file))
			.stream()
			.map((source) -> SpringAiDocument.of(file, (EnumerablePropertySource<?>) source))
			.filter((document) -> !document.values().isEmpty())
			.toList();
	}

}
