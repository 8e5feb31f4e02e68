package io.github.mcpclient.interoperability;

import java.util.List;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that an entry of a file that cannot be used costs that entry, unless the
 * application needs it, and that mistakes of the application still fail its start.
 */
class ImportedMistakesTests extends AbstractImportTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{'url':'https://h/mcp','headers':{'A':'${NOBODY}'}}      | headers.A | Cannot resolve the placeholder ${NOBODY}. Set NOBODY,
					{'command':'npx','args':['${NOBODY}']}                   | args[0]   | Cannot resolve the placeholder ${NOBODY}. Set NOBODY,
					{'command':'npx','args':['-y','mcp-remote','${NOBODY}']} | args[2]   | Cannot resolve the placeholder ${NOBODY}. Set NOBODY,
					{'command':'npx','env':{'A':'${input:key}'}}             | env.A     | MCP_INPUTS_KEY
					{'command':'npx','env':{'A':'${B}','B':'${A}'}}          | env.A     | Cannot resolve the placeholder ${B}.
					{'url':'https://h/mcp','headers':{'A':'${file:none}'}}   | headers.A | There is no file
					{'url':'https://h/mcp','auth':'oauth'}                   | auth.type | io.github.mcpclient:mcp-client-oauth2
					{'url':'https://h/mcp','auth':{'clientId':'a'}}          | auth.type | io.github.mcpclient:mcp-client-oauth2
					{'url':'https://h/mcp','oauth':true}                     | auth.type | io.github.mcpclient:mcp-client-oauth2
					{'url':'https://h/mcp','auth':'basic'}                   | auth.type | Set auth to the token, or set the header
					{'url':'http://example.org/mcp','auth':'tok'}            | url       | would be sent unencrypted
					{'url':'https://h/mcp','headers':{'A':{'b':1}}}          | headers.A | This is not a string.
					{'url':'https://h/mcp','headers':[{'name':'A'}]}         | headers   | nor a list of names and values
					{'url':'https://h/mcp','headers':['A: b','A: c']}        | headers   | nor a list of names and values
					{'url':'https://h/mcp','headers':7}                      | headers   | nor a list of names and values
					{'command':'npx','args':{'a':1}}                         | args      | This is not a list of strings.
					{'url':'https://h/mcp','type':'pigeon'}                  | type      | There is no such transport type.
					{'url':'mcp.example.org'}                                | url       | The URL must begin with
					{'url':'https://h/a b'}                                  | url       | The URL is invalid
					{}                                                       |           | Neither 'url' (for a server
					'npx -y server'                                          |           | The entry is neither an object
					['npx']                                                  |           | The entry is neither an object
					42                                                       |           | The entry is neither an object
					""")
	void mistakeCostsItsEntry(String entry, String setting, String advice) {
		String property = "mcp.servers.bad" + ((setting != null) ? "." + setting : "");
		String file = "'bad': " + entry + ",\n'peer': {'url': '*'}";
		servers(file, (servers) -> {
			assertReady(servers);
			McpServerStatus status = servers.server("bad").status();
			assertThat(status.state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(status.failedStep()).isEqualTo(McpServerStatus.StepKind.CONFIGURATION);
			assertThat(status.nextRetry()).isNull();
			assertThat(status.lastError())
				.contains(property + " (file [" + this.directory.resolve("mcp.json") + "] - 2:")
				.contains(advice)
				.endsWith("Correct the file, or disable the server there, and reload the configuration.");
			assertThat(this.log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("MCP server 'bad'")
				.contains(status.lastError());
		});
		this.runner.withPropertyValues(importing(file), "mcp.servers.bad.required=true")
			.run((context) -> assertThat(problems(context.getStartupFailure()))
				.anySatisfy((problem) -> assertThat(problem.property()).isEqualTo(property))
				.anySatisfy((problem) -> assertThat(problem.message()).contains(advice)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{'url':'https://u:s3cr3t-token@h/a b?k=s3cr3t-token'}
			{'url':'https://h/mcp','headers':['s3cr3t-token']}
			{'url':'https://h/mcp','headers':['s3cr3t-token==']}
			{'url':'https://h/mcp','headers':{'A':'Bearer s3cr3t-token','B':{'c':'s3cr3t-token'}}}
			{'url':'https://h/mcp','auth':'s3cr3t-token','type':'pigeon'}
			{'url':'http://h/mcp','auth':'s3cr3t-token'}
			{'url':'https://h/mcp','auth':'s3cr3t-token','headers':{'A':'${NOBODY}'}}
			{'command':'npx','env':'s3cr3t-token'}
			{'command':'npx','args':{'token':'s3cr3t-token'}}
			{'command':'npx','args':['--token','${T}','${NOBODY}'],'env':{'T':'s3cr3t-token'}}
			's3cr3t-token'
			['s3cr3t-token']
			""")
	void nothingSecretOfAFailedEntryIsTold(String entry) {
		servers("'bad': " + entry, (servers) -> {
			ManagedMcpServer bad = servers.server("bad");
			assertThat(bad.status().state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(bad.status() + " " + bad.status().lastError() + bad.status().target() + bad.settings()
					+ bad.definition() + bad.diagnose())
				.doesNotContain(TOKEN);
		});
		assertThat(this.log.lines().toString()).doesNotContain(TOKEN);
	}

	@Test
	void severalMistakesAreToldTogether() {
		servers("'bad': {'url': 'https://h/mcp', 'type': 'pigeon', 'headers': {'A': '${ONE}', 'B': '${TWO}'}}",
				(servers) -> assertThat(servers.server("bad").status().lastError()).contains("mcp.servers.bad.type (")
					.contains("Set ONE,")
					.contains("Set TWO,"));
	}

	@Test
	void nothingButAnotherDefinitionMendsTheServer() {
		servers("'bad': {'url': '*', 'headers': {'A': '${NOBODY}'}}", (servers) -> {
			ManagedMcpServer bad = servers.server("bad");
			assertThat(bad.reconnect().state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(bad.diagnose().steps()).first().satisfies((step) -> {
				assertThat(step.kind()).isEqualTo(McpServerStatus.StepKind.CONFIGURATION);
				assertThat(step.outcome()).isEqualTo(McpDiagnosis.Outcome.FAILED);
				assertThat(step.detail()).contains("${NOBODY}");
			});
			servers.disable("bad");
			assertThatIllegalArgumentException().isThrownBy(() -> servers.enable("bad"))
				.withMessageContaining("${NOBODY}");
			servers.replace(McpServerDefinition.http("bad", bad.definition().http().url()).build());
			assertThat(bad.status().state()).isEqualTo(McpServerState.READY);
		});
		assertThat(this.log.lines(Level.WARN)).hasSize(1);
	}

	@Test
	void failedServerIsShownWhereServersConnectOnFirstUse() {
		servers("'bad': {}, 'peer': {'url': '*'}", (servers) -> {
			assertThat(servers.server("bad").status().state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(servers.server("peer").status().state()).isEqualTo(McpServerState.IDLE);
		}, "mcp.startup.mode=lazy");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{'url':'https://h/mcp'}                          | mcp.servers.bad.max-result-size=-1
			{'url':'https://h/mcp'}                          | mcp.servers.bad.headers.X=${NOBODY}
			{'url':'https://h/mcp','headers':{'A':'${B}'}}   | mcp.servers.bad.request-timeout=-1s
			{'url':'https://h/mcp'}                          | mcp.servers.other.url=nothing
			{'url':'https://h/mcp','auth':'oauth'}           | mcp.defaults.required=true
			{'command':'npx'}                                | mcp.import.allow-stdio=false
			{'command':'npx'}                                | mcp.transports=sse
			""")
	void whatTheApplicationSaysStillFailsTheStart(String entry, String property) {
		this.runner.withPropertyValues(importing("'bad': " + entry), property)
			.run((context) -> assertThat(problems(context.getStartupFailure())).isNotEmpty());
	}

	private static List<Problem> problems(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof InvalidMcpConfigurationException)) {
			cause = cause.getCause();
		}
		assertThat(cause).isInstanceOf(InvalidMcpConfigurationException.class);
		return ((InvalidMcpConfigurationException) cause).getProblems();
	}

}
