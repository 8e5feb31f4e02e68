package io.github.mcpclient.internal.transport.http;

import java.net.URI;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HttpUris}.
 */
class HttpUrisTests {

	@ParameterizedTest
	@CsvSource({ "https://h/mcp, https://H/mcp/, true", "https://h/mcp, https://h:443/x?q=1, true",
			"http://h/mcp, https://h/mcp, true", "http://h:80/mcp, https://h:443/other, true",
			"http://h:8080/mcp, https://h/mcp, false", "http://h/mcp, https://h:8443/mcp, false",
			"http://h:8080/mcp, https://h:8080/mcp, false", "https://h/mcp, http://h/mcp/, false",
			"https://h/mcp, http://h:443/mcp/, false", "http://h/mcp, https://u@h/mcp, false",
			"https://u:p@h/mcp, https://v:p@h/mcp, false", "http://h/mcp, https://h.evil/mcp, false",
			"https://h/mcp, https://h:8443/mcp, false", "http://h/mcp, mailto:h, false",
			"http://h/mcp, https:/mcp, false" })
	void redirectIsFollowedWhereNobodyElseGetsTheCredentials(URI from, URI to, boolean followed) {
		assertThat(HttpUris.mayFollow(from, to)).isEqualTo(followed);
	}

}
