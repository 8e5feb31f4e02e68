package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the code in the documentation with what tests run.
 */
public final class DocumentedCode {

	private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	private DocumentedCode() {
	}

	/**
	 * Check that a test runs the code of a section as it stands.
	 * @param page the name of the page below {@code docs}
	 * @param heading the heading of the section, with its number signs
	 * @param test the class whose source has that code
	 */
	public static void assertRunBy(String page, String heading, Class<?> test) throws IOException {
		String text = Files.readString(Path.of("../docs", page + ".md"));
		int start = text.indexOf("\n" + heading + "\n");
		assertThat(start).as(heading).isNotNegative();
		int end = text.indexOf("\n#", start + heading.length());
		String source = Files.readString(Path.of("src/test/java", test.getName().replace('.', '/') + ".java"));
		Matcher snippets = JAVA.matcher(text.substring(start, (end < 0) ? text.length() : end));
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
