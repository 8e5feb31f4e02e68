package io.github.mcpclient.internal.session;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RequestParams}.
 */
class RequestParamsTests {

	private static final McpServerDefinition REMOTE = McpServerDefinition
		.http("remote", URI.create("https://mcp.example/mcp"))
		.build();

	private static final McpServerDefinition LOCAL = McpServerDefinition
		.http("local", URI.create("http://localhost:8080/mcp"))
		.build();

	private static final McpServerDefinition CHILD = McpServerDefinition.stdio("child", "x").build();

	@ParameterizedTest
	@ValueSource(strings = { "https://login.example/", "http://login.example:8080/a?b=%E2%80%AE#c",
			"HTTPS://xn--bcher-kva.example./", "http://10.1.2.3/", "http://192.168.1.1:65535",
			"http://[2001:db8::1]/" })
	void pages(String url) {
		assertThat(page(url, "Log in", REMOTE).url()).isEqualTo(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "javascript:alert(1)", "file:///etc/passwd", "//login.example/", "/login", "",
			"http://user:pw@evil.example/", "https://login.example@evil.example/", "https://@evil.example/",
			"https://login.example/\u202Egnp.exe", "https://login.example/\u0000", "https://login.ex\u0430mple/",
			"https://login.example/\u001B[31m", "https://login.example/\r\nx", "https://login.example:65536/",
			"https://login.example:0/", "https://login.example:99999999999/", "http://169.254.169.254/latest",
			"http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[::ffff:169.254.169.254]/", "http://0.0.0.0/",
			"http://[::]/", "http://224.0.0.1/", "http://0251.254.169.254/", "http://2852039166/", "http://127.1/",
			"http://0x7f.0.0.1/", "http://0x7f000001/" })
	void urlsThatNoHonestServerSends(String url) {
		for (McpServerDefinition server : List.of(REMOTE, LOCAL, CHILD)) {
			assertThatExceptionOfType(McpError.class).isThrownBy(() -> page(url, "Log in", server))
				.satisfies((ex) -> assertThat(ex.getJsonRpcError().code()).isEqualTo(-32602));
			assertThat(RequestParams.elicitations(
					new JSONRPCError(-32042, "open it", Map.of("elicitations", List.of(values(url, "m")))), server))
				.isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost/", "http://LOCALHOST.:3000/", "http://a.localhost/", "http://127.0.0.1/",
			"http://127.9.9.9:9/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/" })
	void onlyAServerOfThisMachineHasPagesOnIt(String url) {
		assertThatExceptionOfType(McpError.class).isThrownBy(() -> page(url, "Log in", REMOTE));
		assertThat(page(url, "Log in", LOCAL).url()).isEqualTo(url);
		assertThat(page(url, "Log in", CHILD).url()).isEqualTo(url);
	}

	@Test
	void messagesAreClean() {
		String message = "Log\u001B[2J in\r\nWARN \u202Enow" + "!".repeat(5000);
		assertThat(page("https://login.example/", message, REMOTE).message()).startsWith("Log in WARN now!!!")
			.endsWith("!... (" + message.length() + " characters)")
			.hasSizeLessThan(4100);
		assertThat(RequestParams
			.elicitation(Map.of("message", "One\u001B[31m\r\ntwo\u202E", "requestedSchema", Map.of()), REMOTE))
			.extracting("message")
			.isEqualTo("One\ntwo");
	}

	@Test
	void theHostStandsByItself() {
		ElicitUrlRequest page = page("https://login.example:8443/https://bank.example/", "m", REMOTE);
		assertThat(McpElicitationHandler.host(page)).isEqualTo("login.example");
	}

	private static ElicitUrlRequest page(String url, String message, McpServerDefinition server) {
		return (ElicitUrlRequest) RequestParams.elicitation(values(url, message), server);
	}

	private static Map<String, Object> values(String url, String message) {
		return Map.of("mode", "url", "elicitationId", "1", "url", url, "message", message);
	}

}
