package io.github.mcpclient.internal.naming;

import java.util.Arrays;
import java.util.List;

import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPolicy;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolAdmission}.
 */
class ToolAdmissionTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					# access   | destr. | world | readOnly | destr. | world | refusal
					ALL        | true   | true  | -        | -      | -     | -
					ALL        | true   | true  | false    | true   | true  | -
					NO_WRITE   | true   | true  | -        | -      | -     | -
					NO_WRITE   | true   | true  | true     | true   | true  | -
					NO_WRITE   | true   | true  | false    | false  | false | tools.access is no-write and the tool says readOnlyHint: false
					READ_ONLY  | true   | true  | true     | -      | -     | -
					READ_ONLY  | true   | true  | -        | -      | -     | tools.access is read-only and the tool does not say readOnlyHint: true
					READ_ONLY  | true   | true  | false    | false  | false | tools.access is read-only and the tool does not say readOnlyHint: true
					ALL        | false  | true  | -        | -      | -     | tools.allow-destructive is false and the tool says neither destructiveHint: false nor readOnlyHint: true
					ALL        | false  | true  | false    | -      | -     | tools.allow-destructive is false and the tool says neither destructiveHint: false nor readOnlyHint: true
					ALL        | false  | true  | true     | -      | -     | -
					ALL        | false  | true  | -        | false  | -     | -
					ALL        | false  | true  | false    | false  | -     | -
					ALL        | false  | true  | true     | true   | -     | tools.allow-destructive is false and the tool says destructiveHint: true
					ALL        | true   | false | true     | false  | -     | tools.allow-open-world is false and the tool does not say openWorldHint: false
					ALL        | true   | false | true     | false  | true  | tools.allow-open-world is false and the tool says openWorldHint: true
					ALL        | true   | false | -        | -      | false | -
					READ_ONLY  | false  | false | true     | false  | false | -
					READ_ONLY  | false  | false | true     | -      | false | -
					""")
	void hintsDecide(McpToolAccess access, boolean allowDestructive, boolean allowOpenWorld, Boolean readOnly,
			Boolean destructive, Boolean openWorld, String refusal) {
		assertThat(refusal(new McpToolPolicy(access, allowDestructive, allowOpenWorld),
				new ToolAnnotations(null, readOnly, destructive, null, openWorld, null)))
			.isEqualTo(refusal);
	}

	@Test
	void missingHintsAreAbsentHints() {
		ToolAnnotations none = new ToolAnnotations(null, null, null, null, null, null);
		for (McpToolAccess access : McpToolAccess.values()) {
			for (boolean destructive : new boolean[] { true, false }) {
				for (boolean openWorld : new boolean[] { true, false }) {
					McpToolPolicy policy = new McpToolPolicy(access, destructive, openWorld);
					assertThat(refusal(policy, null)).isEqualTo(refusal(policy, none));
				}
			}
		}
	}

	@Test
	void aStricterPolicyNeverAllowsMore() {
		List<Boolean> values = Arrays.asList(null, true, false);
		for (Boolean readOnly : values) {
			for (Boolean destructive : values) {
				for (Boolean openWorld : values) {
					ToolAnnotations hints = new ToolAnnotations(null, readOnly, destructive, null, openWorld, null);
					boolean readOnlyAllows = allows(new McpToolPolicy(McpToolAccess.READ_ONLY, true, true), hints);
					boolean noWriteAllows = allows(new McpToolPolicy(McpToolAccess.NO_WRITE, true, true), hints);
					assertThat(!readOnlyAllows || noWriteAllows).isTrue();
					for (McpToolAccess access : McpToolAccess.values()) {
						boolean strict = allows(new McpToolPolicy(access, false, false), hints);
						assertThat(!strict || allows(new McpToolPolicy(access, true, true), hints)).isTrue();
					}
				}
			}
		}
	}

	private static boolean allows(McpToolPolicy policy, ToolAnnotations hints) {
		return refusal(policy, hints) == null;
	}

	private static String refusal(McpToolPolicy policy, ToolAnnotations hints) {
		return ToolAdmission.refusal("tools", policy, hints);
	}

}
