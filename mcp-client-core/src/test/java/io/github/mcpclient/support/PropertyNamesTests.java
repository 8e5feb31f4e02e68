package io.github.mcpclient.support;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PropertyNames}.
 */
class PropertyNamesTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			my-server, url,              mcp.servers.my-server.url
			my_server, '',               mcp.servers.my_server
			my.server, url,              mcp.servers[my.server].url
			1,         headers[X.Y],     mcp.servers[1].headers[X.Y]
			a/b,       '[x]',            mcp.servers[a/b][x]
			""")
	void settingOfAServerIsNamedAsItIsWritten(String server, String setting, String property) {
		assertThat(PropertyNames.ofServer(server, setting)).isEqualTo(property);
	}

}
