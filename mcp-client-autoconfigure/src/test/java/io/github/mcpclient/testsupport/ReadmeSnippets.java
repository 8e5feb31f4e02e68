package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the code in the README with what tests run.
 */
public final class ReadmeSnippets {

	private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	private ReadmeSnippets() {
	}

	/**
	 * Check that a test runs the code of a section as it stands.
	 * @param heading the heading of the section, with its number signs
	 * @param test the class whose source has that code
	 */
	public static void assertRunBy(String heading, Class<?> test) throws IOException {
		String readme = Files.readString(Path.of("../README.md"));
		int start = readme.indexOf("\n" + heading + "\n");
		assertThat(start).as(heading).isNotNegative();
		int end = readme.indexOf("\n#", start + heading.length());
		String source = Files.readString(Path.of("src/test/java", test.getName().replace('.', '/') + ".java"));
		Matcher snippets = JAVA.matcher(readme.substring(start, end));
		assertThat(snippets.find()).as("a snippet").isTrue();
		do {
			assertThat(withoutBlanks(source)).contains(withoutBlanks(snippets.group(1)));
		}
		while (snippets.find());
	}

	private static String withoutBlanks(String code) {
		return code.replaceAll("\\s+", "");
	}

}
