package io.github.mcpclient.definition;

import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class McpToolRuleBuilderTests {

	@Test
	void rulesAreAddedInOrder() {
		McpServerDefinition server = McpServerDefinition.stdio("files", "files")
			.toolRule("*", (rule) -> rule.rate(new Rate(60, Duration.ofMinutes(1))).cache(Duration.ofHours(1)))
			.toolRule("delete_*",
					(rule) -> rule.approval(Approval.ALWAYS).argument("token", "s3cr3t").argument("reason", null))
			.build();
		assertThat(server.tools().rules()).extracting(McpToolRule::tools).asString().isEqualTo("[[*], [delete_*]]");
		McpToolRule all = server.tools().rules().get(0);
		assertThat(all.rate()).isEqualTo(Rate.of("60/m"));
		assertThat(all.approval()).isNull();
		McpToolRule delete = server.tools().rules().get(1);
		assertThat(delete.approval()).isEqualTo(Approval.ALWAYS);
		assertThat(delete.arguments()).containsEntry("reason", null).containsEntry("token", "s3cr3t");
		assertThat(delete).asString().doesNotContain("s3cr3t");
	}

	@Test
	void aRuleIsForSomeTools() {
		assertThat(McpToolRule.builder("*", "!read_*").defaultArgument("copies", 1).build())
			.satisfies((rule) -> assertThat(rule.tools()).containsExactly("*", "!read_*"))
			.extracting(McpToolRule::defaultArguments)
			.isEqualTo(Map.of("copies", 1));
		assertThatIllegalArgumentException().isThrownBy(McpToolRule::builder)
			.withMessage("The rule does not name the tools that it is for. Write '*' for all.");
	}

	@ParameterizedTest
	@CsvSource({ "60/m,60/m", "5/1s,5/s", "10/30s,10/30s", "7/60s,7/m", "1/24h,1/d", "3/90m,3/90m",
			"9/1500ms,9/1500ms" })
	void aRateHasAText(String text, String canonical) {
		assertThat(Rate.of(text).text()).isEqualTo(canonical);
		assertThat(Rate.of(canonical)).isEqualTo(Rate.of(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "60", "0/m", "10/0s", "m", "-1/s", "1/2/3", "999999999/ms" })
	void whatIsNoRateIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Rate.of(text))
			.withMessage("This is not a rate. Write for instance 60/m, 5/s or 10/30s.");
	}

}
