package io.github.mcpclient.internal.naming;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolFilter}.
 */
class ToolFilterTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# patterns                | prefixed name | allowed
			''                        | s_read        | true
			s_read                    | s_read        | true
			s_read                    | s_reader      | false
			read                      | s_read        | true
			s_*                       | s_read        | true
			s_*                       | t_read        | false
			*                         | s_read        | true
			!s_write                  | s_read        | true
			!s_write                  | s_write       | false
			!write                    | s_write       | false
			!s_write*,!s_delete*      | s_delete_all  | false
			!s_write*,!s_delete*      | s_read        | true
			s_*,!s_write*             | s_write_file  | false
			s_*,!s_write*             | s_read        | true
			s_*,!s_write*             | t_read        | false
			s_*,!s_write*,s_write_log | s_write_log   | true
			!*,s_read                 | s_read        | true
			!*,s_read                 | s_write       | false
			!s_*,s_read               | t_write       | true
			!write*,s_*               | s_write       | true
			s_read,!*                 | s_read        | false
			S_READ                    | s_read        | false
			s_rea?                    | s_read        | true
			' s_read , ! s_write '    | s_read        | true
			's_*, !  s_write '         | s_write       | false
			""")
	void lastMatchWins(String patterns, String name, boolean allowed) {
		String original = name.substring(2);
		assertThat(filter(patterns).refusal(new ToolNames(name, name, original, false)) == null).isEqualTo(allowed);
	}

	@Test
	void tellsWhyAToolIsLeftOut() {
		ToolFilter filter = ToolFilter.of("tools.filter", List.of("s_*", "!s_write*"));
		assertThat(filter.refusal(new ToolNames("s_write_x", "s_write_x", "write_x", false)))
			.isEqualTo("tools.filter denies it: !s_write*");
		assertThat(filter.refusal(new ToolNames("t_x", "t_x", "x", false))).isEqualTo("tools.filter does not name it");
	}

	@Test
	void aMisleadingOriginalNameIsNotLetIn() {
		ToolNames misleading = new ToolNames("evil_weather_now", "evil_weather_now", "weather_now", true);
		assertThat(filter("weather_*").refusal(misleading)).isNotNull();
		assertThat(filter("weather_now").refusal(misleading)).isNotNull();
		assertThat(filter("!weather_*").refusal(misleading)).isNotNull();
		assertThat(filter("evil_*").refusal(misleading)).isNull();
		assertThat(filter("evil_*,!weather_now").refusal(misleading)).isNotNull();
	}

	@Test
	void plainNamesThatMatchNothingAreToldAndGlobsAreNot() {
		List<ToolNames> tools = List.of(new ToolNames("s_read", "s_read", "read", false),
				new ToolNames("s_write", "s_write", "write", false));
		assertThat(filter("s_read,write,s_raed,raed,!s_wriet,x*,!y?,s_raed").unmatched(tools)).containsExactly("s_raed",
				"raed", "!s_wriet");
	}

	@Test
	void agreesWithTheDefinition() {
		long seed = 42;
		Random random = new Random(seed);
		List<String> words = List.of("s_read", "s_write", "t_read", "read", "write", "s_*", "*_read", "*", "?_read");
		List<ToolNames> tools = List.of(new ToolNames("s_read", "s_read", "read", false),
				new ToolNames("s_write", "s_write", "write", false), new ToolNames("t_read", "t_read", "read", false));
		for (int i = 0; i < 5_000; i++) {
			List<String> patterns = new ArrayList<>();
			for (int n = random.nextInt(5); n >= 0; n--) {
				patterns.add((random.nextBoolean() ? "!" : "") + words.get(random.nextInt(words.size())));
			}
			for (ToolNames tool : tools) {
				boolean expected = patterns.get(0).startsWith("!");
				for (String pattern : patterns) {
					Glob glob = new Glob(pattern.replace("!", ""));
					if (glob.matches(tool.prefixed()) || glob.matches(tool.original())) {
						expected = !pattern.startsWith("!");
					}
				}
				assertThat(ToolFilter.of("f", patterns).refusal(tool) == null)
					.as("%s and %s, seed %d", patterns, tool, seed)
					.isEqualTo(expected);
			}
		}
	}

	private static ToolFilter filter(String patterns) {
		return ToolFilter.of("tools.filter", patterns.isEmpty() ? List.of() : Arrays.asList(patterns.split(",")));
	}

}
