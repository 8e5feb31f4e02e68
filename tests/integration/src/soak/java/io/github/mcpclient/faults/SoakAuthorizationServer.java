package io.github.mcpclient.faults;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.faults.SoakCredential.Kind;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;

/**
 * The authorization server of one {@link SoakServer}: gives short-lived tokens to the
 * application and its users, until it is told otherwise.
 */
final class SoakAuthorizationServer implements AutoCloseable {

	private static final Duration LIFE = Duration.ofSeconds(4);

	private static final Set<Kind> EXPECTED = Set.of(Kind.SECRET, Kind.SUBJECT, Kind.REFRESH);

	private final String name;

	private final String resource;

	private final SoakReport report;

	private final McpTestServer server = McpTestServer.create().recordAtMost(10);

	private volatile int keys;

	private volatile long lastToken;

	/**
	 * Create one.
	 * @param name the name of the MCP server
	 * @param resource its url, for which alone tokens are given
	 */
	SoakAuthorizationServer(String name, String resource, SoakReport report) {
		this.name = name;
		this.resource = resource;
		this.report = report;
		answer();
		this.server.start();
	}

	Stream<String> properties(boolean ofUsers) {
		String prefix = "mcp.servers." + this.name + ".auth.oauth2.";
		Stream<String> client = Stream.of("client-id=client-of-" + this.name,
				"client-secret=" + new SoakCredential(Kind.SECRET, this.name, "client"));
		Stream<String> users = ofUsers ? Stream.of("grant-type=token-exchange", "listing=client-credentials")
				: Stream.empty();
		return Stream.concat(client, users).map(prefix::concat);
	}

	/**
	 * What the MCP server says of it.
	 */
	McpTestReply resourceMetadata() {
		return json(200, "{\"resource\": \"%s\", \"authorization_servers\": [\"%s\"]}".formatted(this.resource, url()));
	}

	/**
	 * Whether one of the credentials opens the MCP server.
	 */
	boolean admits(List<SoakCredential> credentials) {
		return credentials.stream()
			.anyMatch((credential) -> credential.kind() == Kind.ACCESS && credential.isGood(this.keys));
	}

	/**
	 * Give tokens again.
	 */
	void answer() {
		this.server.on("GET", this::describe).on("POST", this::token);
	}

	/**
	 * Answer requests for tokens otherwise. Those that there are become useless.
	 */
	void refuse(McpTestReply reply) {
		on("POST", reply);
		this.keys++;
	}

	/**
	 * Answer nothing. The tokens that there are become useless.
	 */
	void hang() {
		on("GET", McpTestReply.never());
		refuse(McpTestReply.never());
	}

	/**
	 * Let no token be good any more, at a moment when none is on its way, on a busy
	 * machine either: a call that is refused is repeated only once, and faults before may
	 * have left no more than one renewal.
	 */
	void changeKeys() {
		Waiting.await().until(() -> System.nanoTime() - this.lastToken > LIFE.dividedBy(3).toNanos());
		this.keys++;
	}

	static McpTestReply error(int status, String error) {
		return json(status, "{\"error\": \"" + error + "\"}");
	}

	private void on(String method, McpTestReply reply) {
		this.server.on(method, (request) -> {
			inspect(request);
			return reply;
		});
	}

	private String url() {
		return "http://localhost:" + this.server.port();
	}

	private McpTestReply describe(McpTestRequest request) {
		inspect(request);
		return request.path().equals("/.well-known/oauth-authorization-server")
				? json(200, "{\"issuer\": \"%1$s\", \"token_endpoint\": \"%1$s/token\"}".formatted(url()))
				: McpTestReply.status(404);
	}

	private McpTestReply token(McpTestRequest request) {
		this.lastToken = System.nanoTime();
		Map<Kind, SoakCredential> shown = inspect(request).stream()
			.collect(Collectors.toMap(SoakCredential::kind, (credential) -> credential, (first, second) -> first,
					() -> new EnumMap<>(Kind.class)));
		if (!shown.containsKey(Kind.SECRET)) {
			return error(401, "invalid_client");
		}
		if (!request.body().contains("resource=" + URLEncoder.encode(this.resource, StandardCharsets.UTF_8))) {
			return error(400, "invalid_target");
		}
		SoakCredential refresh = shown.get(Kind.REFRESH);
		if (refresh != null && refresh.keys() != this.keys) {
			return error(400, "invalid_grant");
		}
		SoakCredential grant = (refresh != null) ? refresh : shown.get(Kind.SUBJECT);
		String holder = (grant != null) ? grant.holder() : "application";
		this.report.issuedToken();
		return json(200, """
				{"access_token": "%s", "token_type": "Bearer", "expires_in": %d, "refresh_token": "%s"}""".formatted(
				new SoakCredential(Kind.ACCESS, this.name, holder, this.keys,
						System.currentTimeMillis() + LIFE.toMillis()),
				LIFE.toSeconds(), new SoakCredential(Kind.REFRESH, this.name, holder, this.keys, Long.MAX_VALUE)));
	}

	private List<SoakCredential> inspect(McpTestRequest request) {
		List<SoakCredential> credentials = SoakCredential.in(request);
		this.report.inspect("The authorization server of " + this.name, credentials,
				(credential) -> EXPECTED.contains(credential.kind()) && credential.server().equals(this.name));
		return credentials;
	}

	private static McpTestReply json(int status, String body) {
		return McpTestReply.status(status).body("application/json", body);
	}

	@Override
	public void close() {
		this.server.close();
	}

}
