package io.github.mcpclient.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpTypeExcludeFilter}.
 */
class McpTypeExcludeFilterTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (`\\w+`(?:, `\\w+`)*) \\|");

	@Test
	void findsTheTypesThatTheConfigurationPageLists() throws IOException {
		String page = Files.readString(Path.of("../docs/configuration.md"));
		List<String> listed = ROW.matcher(page.substring(page.indexOf("## Beans")))
			.results()
			.flatMap((row) -> Pattern.compile("\\w+").matcher(row.group(1)).results())
			.map(MatchResult::group)
			.toList();
		assertThat(new McpTypeExcludeFilter(McpTestTests.class).getKnownIncludes()).extracting(Class::getSimpleName)
			.containsExactlyInAnyOrderElementsOf(listed);
	}

}
