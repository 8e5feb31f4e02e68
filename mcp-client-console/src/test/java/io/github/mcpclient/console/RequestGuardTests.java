package io.github.mcpclient.console;

import java.net.InetSocketAddress;
import java.util.List;

import io.github.mcpclient.console.McpConsoleProperties.Access;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link RequestGuard}.
 */
class RequestGuardTests {

	private static final String PAGE = "http://localhost:8080/mcp-console";

	private McpConsoleProperties properties = new McpConsoleProperties(Access.UNRESTRICTED, false, List.of(), 0);

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "localhost:8080", "LOCALHOST", "shop.localhost:8080", "127.0.0.1:8080",
			"127.1.2.3", "[::1]:8080" })
	void answersOnLoopbackByNamesOfThisMachine(String host) {
		accepts(get("http://" + host + "/mcp-console", "Host: " + host), false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
			"10.0.0.1", "localhost@evil.example", "evil.example/localhost", "", "[::2]" })
	void refusesNamesThatMayPointHereToo(String host) {
		refuses(get(PAGE, "Host: " + host), false, HttpStatus.FORBIDDEN, "mcp.console.allowed-hosts");
	}

	@Test
	void refusesARequestWithoutHost() {
		refuses(get(PAGE), false, HttpStatus.FORBIDDEN, "mcp.console.allowed-hosts");
	}

	@Test
	void checksBothTheHostAndWhatIsMadeOfIt() {
		refuses(get(PAGE, "Host: evil.example"), false, HttpStatus.FORBIDDEN, "mcp.console.allowed-hosts");
		refuses(get("http://evil.example/mcp-console", "Host: localhost"), false, HttpStatus.FORBIDDEN,
				"mcp.console.allowed-hosts");
	}

	@Test
	void answersByAllowedNames() {
		this.properties = new McpConsoleProperties(Access.READ_ONLY, true, List.of("console.example"), 0);
		accepts(get("http://console.example/mcp-console", "Host: Console.Example").remoteAddress(address("10.0.0.1")),
				false);
		refuses(get("http://other.example/mcp-console", "Host: other.example"), false, HttpStatus.FORBIDDEN,
				"mcp.console.allowed-hosts");
	}

	@Test
	void refusesOtherMachinesUnlessSomebodyIsSignedIn() {
		refuses(get(PAGE, "Host: localhost").remoteAddress(address("10.0.0.1")), false, HttpStatus.FORBIDDEN,
				"mcp.console.remote");
		accepts(get("http://console.example/mcp-console", "Host: console.example").remoteAddress(address("10.0.0.1")),
				true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Forwarded: for=10.0.0.1", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https",
			"X-Forwarded-Host: localhost", "X-Real-IP: 127.0.0.1" })
	void refusesAProxyOfThisMachineUnlessSomebodyIsSignedIn(String header) {
		refuses(get(PAGE, "Host: localhost", header), false, HttpStatus.FORBIDDEN, "through a proxy");
		accepts(get(PAGE, "Host: localhost", header), true);
	}

	@Test
	void refusesWhereTheAddressIsWhatSomebodySays() {
		ConsoleExchange exchange = exchange(get(PAGE, "Host: localhost"), true);
		assertThatExceptionOfType(ConsoleException.class)
			.isThrownBy(() -> new RequestGuard(this.properties).check(exchange, false))
			.withMessageContaining("through a proxy");
		assertThatNoException().isThrownBy(() -> new RequestGuard(this.properties).check(exchange, true));
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:8080,http://localhost:8080", "http://shop.example,http://shop.example",
			"http://shop.example,https://shop.example", "http://shop.example:8443,https://shop.example:8443",
			"https://shop.example,https://shop.example", "http://shop.example:443,https://shop.example" })
	void knowsTheOriginOfThePage(String page, String origin) {
		accepts(get(page + "/mcp-console/api/servers", "Host: x", "Origin: " + origin), true);
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:8080,http://localhost:3000", "http://localhost:8080,null",
			"http://localhost:8080,http://evil.example:8080", "http://shop.example,http://shop.example:8080",
			"http://shop.example:8080,http://shop.example", "http://shop.example,http://shop.example.evil.example",
			"http://shop.example,file://", "http://shop.example,nonsense of a page" })
	void refusesOtherOrigins(String page, String origin) {
		refuses(get(page + "/mcp-console/api/servers", "Host: x", "Origin: " + origin), true, HttpStatus.FORBIDDEN,
				"another origin");
	}

	@Test
	void refusesRequestsOfOtherSites() {
		String api = PAGE + "/api/servers";
		accepts(get(api, "Host: localhost", "Sec-Fetch-Site: same-origin"), true);
		accepts(get(api, "Host: localhost", "Sec-Fetch-Site: none"), true);
		for (String site : List.of("cross-site", "same-site")) {
			refuses(get(api, "Host: localhost", "Sec-Fetch-Site: " + site), true, HttpStatus.FORBIDDEN, "another site");
			refuses(get(PAGE, "Host: localhost", "Sec-Fetch-Site: " + site, "Sec-Fetch-Mode: navigate",
					"Sec-Fetch-Dest: iframe"), true, HttpStatus.FORBIDDEN, "another site");
			refuses(get(api, "Host: localhost", "Sec-Fetch-Site: " + site, "Sec-Fetch-Mode: navigate",
					"Sec-Fetch-Dest: document"), true, HttpStatus.FORBIDDEN, "another site");
		}
	}

	@Test
	void letsALinkOfAnotherSiteLeadToThePage() {
		accepts(get(PAGE, "Host: localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: document"), true);
	}

	@Test
	void refusesToWriteWithoutTheHeaderThatNoFormHas() {
		accepts(request(HttpMethod.POST, PAGE, "Host: localhost", "X-MCP-Console: 1"), false);
		refuses(request(HttpMethod.POST, PAGE, "Host: localhost"), false, HttpStatus.FORBIDDEN, "X-MCP-Console: 1");
		refuses(request(HttpMethod.DELETE, PAGE, "Host: localhost"), true, HttpStatus.FORBIDDEN, "X-MCP-Console: 1");
	}

	@Test
	void refusesToWriteUnlessThatIsConfigured() {
		this.properties = new McpConsoleProperties(Access.READ_ONLY, false, List.of(), 0);
		for (HttpMethod method : List.of(HttpMethod.POST, HttpMethod.DELETE)) {
			refuses(request(method, PAGE, "Host: localhost", "X-MCP-Console: 1"), true, HttpStatus.FORBIDDEN,
					"mcp.console.access");
		}
	}

	@ParameterizedTest
	@CsvSource({ "OPTIONS,403", "PUT,405", "PATCH,405", "TRACE,405", "PROPFIND,405" })
	void knowsNoOtherMethods(String method, int status) {
		refuses(request(HttpMethod.valueOf(method), PAGE, "Host: localhost", "X-MCP-Console: 1"), true,
				HttpStatus.valueOf(status), "");
	}

	private void accepts(MockServerHttpRequest.BaseBuilder<?> request, boolean signedIn) {
		assertThatNoException()
			.isThrownBy(() -> new RequestGuard(this.properties).check(exchange(request, false), signedIn));
	}

	private void refuses(MockServerHttpRequest.BaseBuilder<?> request, boolean signedIn, HttpStatus status,
			String message) {
		assertThatExceptionOfType(ConsoleException.class)
			.isThrownBy(() -> new RequestGuard(this.properties).check(exchange(request, false), signedIn))
			.withMessageContaining(message)
			.satisfies((refused) -> assertThat(refused.status()).isEqualTo(status));
	}

	private static ConsoleExchange exchange(MockServerHttpRequest.BaseBuilder<?> builder, boolean forwarded) {
		MockServerHttpRequest request = builder.build();
		List<String> path = ConsoleExchange.parts(request.getPath().pathWithinApplication());
		return new ConsoleExchange(request, new MockServerHttpResponse(), path.subList(1, path.size()), Mono.empty(),
				Mono.empty(), forwarded, () -> true);
	}

	private static MockServerHttpRequest.BaseBuilder<?> get(String url, String... headers) {
		return request(HttpMethod.GET, url, headers);
	}

	private static MockServerHttpRequest.BaseBuilder<?> request(HttpMethod method, String url, String... headers) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.method(method, url)
			.remoteAddress(address("127.0.0.1"));
		for (String header : headers) {
			request.header(header.substring(0, header.indexOf(':')), header.substring(header.indexOf(':') + 1).strip());
		}
		return request;
	}

	private static InetSocketAddress address(String host) {
		return new InetSocketAddress(host, 40_000);
	}

}
