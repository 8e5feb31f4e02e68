package io.github.mcpclient.docs;

import java.net.URI;
import java.time.Duration;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Definitions in code, as in {@code docs/dynamic-servers.md}.
 */
class DocumentedDefinitionsTests {

	@Test
	void aServerWithRules() {
		String clientId = "me";
		String clientSecret = "s3cr3t";
		McpServerDefinition tickets = McpServerDefinition.http("tickets", URI.create("https://tickets.example.com/mcp"))
			.requestTimeout(Duration.ofSeconds(10))
			.auth((auth) -> auth.oauth2((oauth2) -> oauth2.clientId(clientId).clientSecret(clientSecret)))
			.toolRule("*", (rule) -> rule.rate(Rate.of("60/m")))
			.toolRule("delete_*", (rule) -> rule.approval(Approval.ALWAYS).timeout(Duration.ofMinutes(5)))
			.build();
		assertThat(tickets.auth().type()).isEqualTo("oauth2");
		assertThat(tickets.tools().rules()).extracting(McpToolRule::approval).containsExactly(null, Approval.ALWAYS);
	}

	@Test
	void aRuleForSeveralPatterns() {
		McpToolRule approved = McpToolRule.builder("*", "!read_*")
			.approval(Approval.DESTRUCTIVE)
			.argument("branch", "main")
			.defaultArgument("copies", 1)
			.ratePerCaller(new Rate(10, Duration.ofSeconds(1)))
			.build();
		assertThat(approved.ratePerCaller()).isEqualTo(Rate.of("10/s"));
	}

	@Test
	void waysToAuthorize() {
		String token = "t0ken";
		String username = "me";
		String password = "s3cr3t";
		McpServerDefinitionBuilder builder = McpServerDefinition.http("tickets", URI.create("https://tickets.example"));
		builder.auth((auth) -> auth.bearer(token));
		builder.auth((auth) -> auth.basic(username, password));
		builder.auth((auth) -> auth.oauth2((oauth2) -> oauth2.registrationId("tickets")));
		builder.auth((auth) -> auth.type("myAuthorizer"));
		assertThat(builder.build().auth().type()).isEqualTo("myAuthorizer");
	}

}
