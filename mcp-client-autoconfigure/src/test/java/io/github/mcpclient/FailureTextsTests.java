package io.github.mcpclient;

import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ReadmeMessages;
import io.github.mcpclient.testsupport.SourceTexts;
import io.github.mcpclient.testsupport.SourceTexts.Text;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the README explains each failure, in the words of the code.
 */
class FailureTextsTests {

	/**
	 * What is told in a log only, or to programmers, or is a frame around other texts.
	 */
	private static final String OF_NO_MISTAKE = "(this\\.)?(log|logger|notes)\\..*|Assert\\..*|String\\.(format|join)"
			+ "|Collectors\\.joining|new FailureAnalysis|tellUnused|super|<init>|text";

	private static final String OF_FAILURES = "new (?!Illegal|Mcp|EOF|Eof)\\w+Exception|super|message|refused|lost";

	/**
	 * What stands behind "Cannot start".
	 */
	private static final String OF_STARTS = "(this\\.)?failure";

	@Test
	void mistakesOfTheConfigurationAreExplained() {
		List<String> mistakes = texts("config", "config.mcpjson").filter((text) -> !text.user().matches(OF_NO_MISTAKE))
			.map(Text::text)
			.filter((text) -> text.matches("(?s)[A-Z'.].* .* .*[.?]"))
			.toList();
		assertThat(mistakes).contains("The url is empty.", "It is not in UTF-8.");
		assertExplained(mistakes);
	}

	@Test
	void failuresOfServersAreExplained() {
		List<String> failures = texts("transport", "session", "connection")
			.filter((text) -> text.user().matches(OF_FAILURES) && text.text().matches("(?!Skipped)[A-Z'.].*")
					|| text.user().matches(OF_STARTS))
			.map(Text::text)
			// the next steps are sentences
			.filter((text) -> text.matches("(?s).* .*([^.]|\\.\\.\\.)"))
			.toList();
		assertThat(failures).contains("The session was closed", "it is a directory", "There is no SSL bundle '...'",
				"The server refused ... with error ...: ...");
		assertExplained(failures);
	}

	@Test
	void failuresOfCallsAreExplained() {
		List<String> failures = texts("", "tool", "registry")
			.filter((text) -> text.user().matches("super|new NoSuch\\w+|message")
					|| text.text().matches("(?s).*(must not block|does not exist).*"))
			.map(Text::text)
			// other parts of messages have none of their own
			.filter((text) -> text.matches("(?s)(call |[A-Z'.]).* .*"))
			.toList();
		assertThat(failures).contains("MCP tool '...' failed: ...");
		assertExplained(failures);
	}

	@Test
	void nothingElseIsExplained() {
		List<String> texts = texts("", "tool", "registry", "config", "config.mcpjson", "transport", "session",
				"connection")
			.map(Text::text)
			.filter((text) -> text.replaceAll("[^a-zA-Z ]", "").matches("(?s).* .{8,}|.{8,} .*"))
			.toList();
		// those of Boot and of HTTP
		assertThat(ReadmeMessages.besides(texts)).filteredOn((text) -> !text.matches("Config data .*|HTTP [0-9].*"))
			.isEmpty();
	}

	private static Stream<Text> texts(String... packages) {
		return Stream.of(packages).flatMap((name) -> SourceTexts.of(name).stream()).distinct();
	}

	private static void assertExplained(List<String> texts) {
		assertThat(texts).filteredOn((text) -> !ReadmeMessages.explain(text)).isEmpty();
	}

}
