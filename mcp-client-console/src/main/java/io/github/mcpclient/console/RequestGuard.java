package io.github.mcpclient.console;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.console.McpConsoleProperties.Access;
import io.github.mcpclient.internal.support.Loopback;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;

/**
 * Rejects requests that are not allowed. A web page that a user of this machine visits
 * can send requests to the console from its own origin, or with a host name that it
 * resolves to this machine (DNS rebinding).
 */
record RequestGuard(McpConsoleProperties properties) {

	static final String MARKER = "X-MCP-Console";

	private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

	private static final Set<HttpMethod> WRITES = Set.of(HttpMethod.POST, HttpMethod.DELETE);

	static final List<String> FORWARDED = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
			"X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Ssl", "X-Real-IP", "Via");

	/**
	 * Check a request.
	 * @param signedIn whether a user is signed in
	 * @throws ConsoleException if the request is rejected
	 */
	void check(ConsoleExchange exchange, boolean signedIn) {
		HttpMethod method = exchange.request().getMethod();
		checkOrigin(exchange);
		if (!signedIn) {
			checkAddress(exchange);
			checkHost(exchange);
		}
		if (READS.contains(method)) {
			return;
		}
		if (!WRITES.contains(method)) {
			throw (method == HttpMethod.OPTIONS) ? forbidden("The console allows requests only from its own origin.")
					: new ConsoleException(HttpStatus.METHOD_NOT_ALLOWED, "Send GET, HEAD, POST or DELETE.");
		}
		if (this.properties.access() != Access.UNRESTRICTED) {
			throw forbidden("The console is read-only. To call tools and act on servers, the application has to set "
					+ "mcp.console.access to unrestricted.");
		}
		if (!"1".equals(exchange.header(MARKER))) {
			throw forbidden("A request that writes needs the header '" + MARKER + ": 1'.");
		}
	}

	private void checkOrigin(ConsoleExchange exchange) {
		String site = exchange.header("Sec-Fetch-Site");
		// other sites may link to the page, and a login redirects to it
		boolean link = exchange.path().isEmpty() && READS.contains(exchange.request().getMethod())
				&& "navigate".equals(exchange.header("Sec-Fetch-Mode"))
				&& "document".equals(exchange.header("Sec-Fetch-Dest"));
		if (site != null && !site.equals("same-origin") && !site.equals("none") && !link) {
			throw forbidden("The request comes from another site.");
		}
		String origin = exchange.header(HttpHeaders.ORIGIN);
		if (origin != null && !isOwn(origin, exchange.request().getURI())) {
			throw forbidden("The request comes from another origin.");
		}
	}

	// a proxy may terminate TLS for the application
	private static boolean isOwn(String origin, URI own) {
		URI uri = uri(origin);
		if (uri == null || uri.getHost() == null || !uri.getHost().equalsIgnoreCase(own.getHost())) {
			return false;
		}
		int standard = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
		int port = (uri.getPort() != -1) ? uri.getPort() : standard;
		return (own.getPort() != -1) ? port == own.getPort() : port == standard;
	}

	private void checkAddress(ConsoleExchange exchange) {
		if (this.properties.remote()) {
			return;
		}
		String advice = " Sign in, or have the application set mcp.console.remote to true.";
		if (exchange.forwarded() || FORWARDED.stream().anyMatch((header) -> exchange.header(header) != null)) {
			throw forbidden("Requests through a proxy need a signed-in user: the request has forwarded headers, or the "
					+ "application evaluates them." + advice);
		}
		InetSocketAddress address = exchange.request().getRemoteAddress();
		if (address == null || address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
			throw forbidden("Requests without a signed-in user must come from a loopback address." + advice);
		}
	}

	private void checkHost(ConsoleExchange exchange) {
		String header = exchange.header(HttpHeaders.HOST);
		String host = (header != null) ? host(header) : null;
		// elsewhere the headers of a proxy take precedence, but a page can send them, too
		if (Stream.of(exchange.request().getURI().getHost(), host).anyMatch((name) -> !isAllowed(name))) {
			throw forbidden("The console is not reached by this name. Use localhost, or have the application add the "
					+ "name to mcp.console.allowed-hosts.");
		}
	}

	private static @Nullable String host(String header) {
		URI uri = uri("http://" + header);
		return (uri != null && uri.getRawUserInfo() == null && uri.getRawPath().isEmpty()) ? uri.getHost() : null;
	}

	private boolean isAllowed(@Nullable String host) {
		return host != null && (Loopback.is(host)
				|| this.properties.allowedHosts().stream().anyMatch((allowed) -> allowed.equalsIgnoreCase(host)));
	}

	private static @Nullable URI uri(String text) {
		try {
			return URI.create(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static ConsoleException forbidden(String message) {
		return new ConsoleException(HttpStatus.FORBIDDEN, message);
	}

}
