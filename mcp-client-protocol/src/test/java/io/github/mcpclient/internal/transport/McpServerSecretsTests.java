package io.github.mcpclient.internal.transport;

import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Secrets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpServerSecrets}.
 */
class McpServerSecretsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					npx    | HTTPS_PROXY            | http://user:pass9@proxy:3128 | via user:pass9, pass9      | via ******, ******
					npx    | http_proxy             | user:pa%40s%@proxy:3128      | pa%40s% and pa@s%         | ****** and ******
					npx    | npm_config_registry    | https://t0ken@npm.corp/      | with t0ken                | with ******
					uvx    | UV_INDEX               | a=https://u:one1@h b=https://u:two2@h | one1, two2       | ******, ******
					uvx    | UV_INDEX_CORP_PASSWORD | s3cr3t                       | s3cr3t                    | ******
					uvx    | PIP_EXTRA_INDEX_URL    | https://__token__:abcd@h/s   | abcd                      | ******
					docker | DOCKER_HOST            | ssh://deploy@host            | deploy on host            | deploy on host
					npx    | HTTPS_PROXY            | http://proxy.corp:3128       | proxy.corp                | proxy.corp
					server | HTTPS_PROXY            | http://user:pass9@proxy      | pass9                     | pass9
					""")
	void credentialsThatAPackageRunnerGetsAreMasked(String command, String variable, String value, String text,
			String shown) {
		Secrets secrets = McpServerSecrets.of(McpServerDefinition.stdio("x", command).build(), Map.of(variable, value));
		assertThat(secrets.mask(text)).isEqualTo(shown);
	}

}
