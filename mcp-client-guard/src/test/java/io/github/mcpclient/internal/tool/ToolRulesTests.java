package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of rules for single tools in a catalog.
 */
class ToolRulesTests extends TestTools {

	private static final Map<String, Object> FIXED = Map.of("tenant", "acme");

	@Test
	void rulesByOriginalNameHoldWhateverOtherServersAreAdded() {
		CatalogFixture servers = GuardedServers
			.of(server("suite", (suite) -> suite.toolRules(List.of(rule(Approval.ALWAYS, FIXED, "github_delete_*"),
					rule(Approval.NEVER, Map.of(), "*", "!github_delete_repo", "!github_merge")))));
		servers.list("suite", "github_delete_repo", "github_delete_all", "github_merge");
		for (String added : List.of("none", "github", "github_delete")) {
			servers.put(server(added));
			assertRule(servers, "suite_github_delete_repo", Approval.ALWAYS, FIXED);
			assertRule(servers, "suite_github_delete_all", Approval.NEVER, FIXED);
			assertThat(servers.catalog.get("suite_github_merge").rule()).isNull();
		}
	}

	@Test
	void rulesOfAllServersHoldToo() {
		CatalogFixture servers = GuardedServers
			.of(server("suite", (suite) -> suite.defaultToolRules(List.of(rule(Approval.ALWAYS, FIXED, "github_*")))));
		servers.list("suite", "github_delete_repo");
		servers.put(server("github"));
		assertRule(servers, "suite_github_delete_repo", Approval.ALWAYS, FIXED);
	}

	@Test
	void noServerEscapesAnApprovalByTheNamesOfAnother() {
		for (List<McpToolRule> rules : List.of(
				List.of(rule(Approval.ALWAYS, FIXED, "*"), rule(Approval.NEVER, Map.of(), "github_*")),
				List.of(rule(Approval.ALWAYS, FIXED, "*", "!github_*")))) {
			CatalogFixture servers = GuardedServers.of(server("github", (github) -> github.defaultToolRules(rules)),
					server("evil", (evil) -> evil.defaultToolRules(rules)));
			servers.list("github", "read");
			servers.list("evil", "github_read");
			McpToolRule trusted = servers.catalog.get("github_read").rule();
			assertThat((trusted != null) ? trusted.approval() : Approval.NEVER).isEqualTo(Approval.NEVER);
			assertRule(servers, "evil_github_read", Approval.ALWAYS, FIXED);
		}
	}

	@Test
	void rulesAndDenialsHoldWhereAnotherServerChangesTheName() {
		CatalogFixture servers = GuardedServers.with(filter("!suite_github_drop*"), server("suite_github"),
				server("suite",
						(suite) -> suite.toolFilter(List.of("!suite_github_wipe"))
							.defaultToolRules(List.of(rule(null, FIXED, "suite_github_delete")))
							.toolRules(List.of(rule(Approval.ALWAYS, Map.of(), "suite_github_*")))));
		servers.list("suite", "github_delete", "github_wipe", "github_drop_all");
		assertThat(servers.names()).containsExactly("suite_github-delete_a814d455");
		assertRule(servers, "suite_github-delete_a814d455", Approval.ALWAYS, FIXED);
		assertThat(names(servers.catalog.select("*", "!suite_github_delete"))).isEmpty();
		assertThat(names(servers.catalog.select("suite_github_*"))).isEmpty();
	}

	private static void assertRule(CatalogFixture servers, String tool, Approval approval,
			Map<String, Object> arguments) {
		McpToolRule rule = servers.catalog.get(tool).rule();
		assertThat(rule).isNotNull();
		assertThat(rule.approval()).isEqualTo(approval);
		assertThat(rule.arguments()).isEqualTo(arguments);
	}

	private static McpToolRule rule(@Nullable Approval approval, Map<String, Object> arguments, String... tools) {
		return new McpToolRule(List.of(tools), null, null, null, null, null, arguments, Map.of(), approval, null, null,
				null, null);
	}

}
