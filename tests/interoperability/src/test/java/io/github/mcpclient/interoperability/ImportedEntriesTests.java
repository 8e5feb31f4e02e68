package io.github.mcpclient.interoperability;

import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that entries of files mean here what they mean to the clients that they were
 * written for.
 */
class ImportedEntriesTests extends AbstractImportTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			'headers': {'Authorization': 'Bearer ${MY_TOKEN}'}, 'env': {'MY_TOKEN': 's3cr3t-token'}
			'headers': {'Authorization': 'Bearer ${env:MY_TOKEN}'}, 'env': {'MY_TOKEN': 's3cr3t-token'}
			'headers': {'Authorization': 'Bearer ${MY_TOKEN:-none}'}, 'env': {'MY_TOKEN': '${MY_TOKEN:-s3cr3t-token}'}
			'headers': {'Authorization': 'Bearer ${MY_TOKEN}'}, 'env': [{'name': 'MY_TOKEN', 'value': 's3cr3t-token'}]
			'headers': {'Authorization': 'Bearer ${MY_TOKEN}'}, 'env': {'MY_TOKEN': '${GIVEN_TOKEN}'}
			'auth': 's3cr3t-token'
			'auth': 'Bearer s3cr3t-token'
			'auth': '${MY_TOKEN}', 'env': {'MY_TOKEN': 's3cr3t-token'}
			'auth': '${GIVEN_TOKEN}'
			'auth': {'type': 'bearer', 'token': 's3cr3t-token'}
			'headers': [{'name': 'Authorization', 'value': 'Bearer s3cr3t-token'}]
			'headers': [{'key': 'Authorization', 'value': 'Bearer s3cr3t-token'}]
			'headers': ['Authorization: Bearer s3cr3t-token']
			'headers': {'Authorization': {'value': 'Bearer s3cr3t-token'}}
			""")
	void credentialReachesTheServerAndNoLog(String settings) {
		servers("'peer': {'url': '*', " + settings + "}", (servers) -> {
			assertReady(servers);
			assertThat(this.peer.requests()).isNotEmpty()
				.allSatisfy((request) -> assertThat(request.header("Authorization")).isEqualTo("Bearer " + TOKEN));
			assertThat(servers.server("peer").settings().toString()).doesNotContain(TOKEN);
		}, "GIVEN_TOKEN=" + TOKEN);
		assertThat(this.log.lines().toString()).doesNotContain(TOKEN);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void valueOfAnOwnVariableIsMaskedInTheUrl() {
		servers("'peer': {'url': 'http://localhost:1/${KEY}/mcp', 'env': {'KEY': '" + TOKEN + "'}}", (servers) -> {
			assertThat(servers.server("peer").definition().http().url()).hasPath("/" + TOKEN + "/mcp");
			assertThat(servers.server("peer").status().target()).isEqualTo("http://localhost:1/******/mcp");
		});
		assertThat(this.log.lines().toString()).doesNotContain(TOKEN);
	}

	// mcp-remote and shells have the variable in their environment, where nobody else
	// sees it
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					npx     | '-y','mcp-remote','https://h/mcp','--header','Authorization:${AUTH}' | Authorization:${AUTH}
					npx     | '-y','mcp-remote@latest','https://h/mcp','--header','A:${env:AUTH}'  | A:Bearer s3cr3t-token
					npx     | '-y','mcp-remote@latest','https://h/mcp','--header','A:${GIVEN}'     | A:given
					npx     | '-y','other','--header','Authorization:${AUTH}'                      | Authorization:Bearer s3cr3t-token
					npx     | '-y','other','--header','Authorization: ${AUTH:-none}'               | Authorization: Bearer s3cr3t-token
					npx     | '-y','other','--header','Authorization:${env:AUTH}'                  | Authorization:Bearer s3cr3t-token
					npx     | '-y','other','${NAME}-${GIVEN}'                                      | x-given
					/bin/sh | '-c','other "${AUTH}" ${AUTH:-x} ${NOBODY} ${NOBODY:-y} ${GIVEN}'    | other "${AUTH}" ${AUTH:-x} ${NOBODY} ${NOBODY:-y} given
					""")
	void variableOfTheEntryIsResolvedOrLeftToTheChild(String command, String args, String last) {
		String entry = "'child': {'disabled': true, 'command': '" + command + "', 'args': ["
				+ args.replace("\"", "\\u0022") + "], 'env': {'AUTH': 'Bearer s3cr3t-token', 'NAME': 'x'}}";
		servers(entry, (servers) -> {
			McpServerDefinition definition = servers.server("child").definition();
			assertThat(definition.stdio().args().get(definition.stdio().args().size() - 1)).isEqualTo(last);
			assertThat(definition.stdio().env()).containsEntry("AUTH", "Bearer " + TOKEN);
			assertThat(definition.target() + servers.server("child").settings()).doesNotContain(TOKEN);
		}, "GIVEN=given");
		assertThat(this.log.lines().toString()).doesNotContain(TOKEN);
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void shellReplacesWhatIsLeftToIt() {
		servers("'peer': {'command': 'sh', 'args': ['-c', 'exec ${LINE} ${NOBODY}'], 'env': {'LINE': '"
				+ String.join(" ", this.peer.stdioCommand()).replace("*", "\\u002a") + "'}}",
				AbstractImportTests::assertReady);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			'*'
			' * '
			{'url': ' * '}
			{'url': '*', 'type': 'Streamable HTTP'}
			{'url': '*', 'type': 'http-stream'}
			{'url': '*', 'transport': 'streaming_http'}
			{'url': '*', 'timeout': '30'}
			{'url': '*', 'timeout': 1e12}
			{'url': '*', 'auth': 'none'}
			{'url': '*', 'auth': ''}
			{'url': '*', 'auth': false}
			{'url': '*', 'headers': {'X-N': 1, 'X-B': true, 'X-Z': null}}
			{'url': '*', 'env': {'N': 1, 'B': true, 'Z': null}, 'headers': {'X-N': '${N}${B}'}}
			{'url': 'http://localhost:1', 'url': '*'}
			{'url': '*', 'isActive': true, 'unheardOf': [1]}
			""")
	void entryIsUnderstood(String entry) {
		servers("'peer': " + entry, AbstractImportTests::assertReady);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			'bad': {'url': '${NOBODY}', 'disabled': true} | DISABLED
			'bad': {'disabled': true}                     | DISABLED
			'bad': {'isActive': false}                    | DISABLED
			'bad': null                                   |
			'bad': false                                  |
			""")
	void entryThatIsOffIsNotLookedAt(String entry, McpServerState state) {
		servers(entry,
				(servers) -> assertThat(servers.find("bad").map((server) -> server.status().state()).orElse(null))
					.isEqualTo(state));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			天气 | 地图
			A    | a
			a b  | a-b
			true | a.b
			""")
	void serversOfAllNamesAreThere(String one, String other) {
		servers("'" + one + "': {'url': '*'}, '" + other + "': {'url': '*'}",
				(servers) -> assertThat(servers.servers()).hasSize(2)
					.allSatisfy((server) -> assertThat(server.status().state()).isEqualTo(McpServerState.READY)));
	}

	@Test
	void whatIsIgnoredIsReportedOnce() {
		servers("""
				'peer': {'url': 'http://localhost:1/a', 'url': '*', 'serverUrl': 'http://localhost:1/b', 'cwd': '/x',
				'args': ['a'], 'env': {'A': 'b'}, 'header': {'A': 'b'}, 'description': 'd', 'trust': true}""",
				AbstractImportTests::assertReady);
		List<String> lines = Stream.concat(this.log.lines(Level.WARN).stream(), this.log.lines(Level.INFO).stream())
			.toList();
		for (String part : List.of("The name 'url' occurs twice", "another setting has the same meaning: serverUrl",
				"reached by its URL: cwd", "reached by its URL: args", "reached by its URL: env", "Not used: header")) {
			assertThat(lines.stream().filter((line) -> line.contains(part))).as(part).hasSize(1);
		}
	}

}
