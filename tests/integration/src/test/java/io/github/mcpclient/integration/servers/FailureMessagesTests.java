package io.github.mcpclient.integration.servers;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What an operator reads when a server does not work: one application with servers that
 * fail in every way, while another serves calls all the while.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureMessagesTests {

	private static final int REFUSING_PORT = Peers.freePort();

	private static final List<AutoCloseable> resources = new ArrayList<>();

	private static DisposableServer html;

	private static ServerSocket silent;

	private static ClientApplication application;

	private static final AtomicBoolean stop = new AtomicBoolean();

	private static final AtomicInteger calls = new AtomicInteger();

	private static final AtomicReference<Throwable> callFailure = new AtomicReference<>();

	private static Thread caller;

	@BeforeAll
	static void start() throws Exception {
		// closing the application closes the event loops that servers share by default
		LoopResources loops = LoopResources.create("html", 1, true);
		html = HttpServer.create()
			.runOn(loops)
			.host("127.0.0.1")
			.port(0)
			.route((routes) -> routes
				.post("/html",
						(request, response) -> response.header("Content-Type", "text/html")
							.sendString(Mono.just("<html>Welcome</html>")))
				.post("/future",
						(request, response) -> response.status(400)
							.header("Content-Type", "application/json")
							.sendString(Mono.just("{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32022,"
									+ " \"message\": \"Unsupported protocol version\", \"data\":"
									+ " {\"supported\": [\"2099-01-01\"], \"requested\": \"2025-11-25\"}}}")))
				.post("/private",
						(request, response) -> response.status(401)
							.header("WWW-Authenticate", "Bearer realm=\"mcp\", error=\"invalid_token\"")
							.send()))
			.bindNow();
		resources.add(() -> html.disposeNow(Duration.ofSeconds(30)));
		resources.add(loops::dispose);
		silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		resources.add(silent);
		McpTestServer good = McpTestServer.create().tools("hello").start();
		McpTestServer flaky = McpTestServer.create()
			.tools("hello")
			.onNext("POST", McpTestReply.status(503), McpTestReply.status(503))
			.start();
		resources.addAll(List.of(good, flaky));
		List<String> properties = new ArrayList<>(List.of("mcp.servers.good.url=" + good.url(),
				"mcp.servers.flaky.url=" + flaky.url(), "mcp.servers.flaky.reconnect.initial-delay=100ms",
				"mcp.defaults.reconnect.initial-delay=1h", "mcp.defaults.reconnect.max-delay=1h",
				"mcp.servers.cat.command=/bin/cat", "mcp.servers.missing.command=no-such-command",
				"mcp.servers.missing.args=--token,topsecret", "mcp.servers.exits.command=/bin/sh",
				"mcp.servers.exits.args=-c,echo cannot read settings >&2; echo giving up >&2; exit 3",
				"mcp.servers.html.url=http://localhost:" + html.port() + "/html",
				"mcp.servers.future.url=http://localhost:" + html.port() + "/future",
				"mcp.servers.private.url=http://localhost:" + html.port() + "/private?key=topsecret",
				"mcp.servers.private.headers.X-Api-Key=topsecret",
				"mcp.servers.refusing.url=http://localhost:" + REFUSING_PORT + "/mcp",
				"mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp",
				"mcp.servers.silent.initialization-timeout=1s", "mcp.servers.silent.protocol=legacy",
				"mcp.servers.flaky.protocol=legacy"));
		properties.addAll(List.of(ClientApplication.mini("banner", "BANNER=Welcome to the mini server")));
		application = ClientApplication.start(properties.toArray(String[]::new));
		caller = new Thread(FailureMessagesTests::keepCalling, "caller");
		caller.start();
	}

	@AfterAll
	static void close() throws Exception {
		stop.set(true);
		caller.join();
		application.close();
		for (AutoCloseable resource : resources) {
			resource.close();
		}
	}

	static List<Failure> failures() {
		return List.of(
				new Failure("cat", "/bin/cat",
						"The process echoes each message, so it is not an MCP server. Run the command manually, and"
								+ " check mcp.servers.cat.command, args and env."),
				new Failure("missing", "no-such-command --token ******",
						"Cannot start 'no-such-command': no such executable on the PATH (" + path()
								+ "). Install it, or set mcp.servers.missing.command to its full path."),
				new Failure("exits", "/bin/sh -c echo cannot read settings >&2; echo giving up >&2; exit 3",
						"The process exited with code 3 before it responded: last lines of stderr: cannot read settings"
								+ " | giving up. Run the command manually, and check mcp.servers.exits.command, args"
								+ " and env."),
				new Failure("html", "http://localhost:" + html.port() + "/html",
						"The server responded with text/html instead of JSON or an event stream."
								+ " Check that mcp.servers.html.url is an MCP endpoint."),
				new Failure("future", "http://localhost:" + html.port() + "/future",
						"The server supports protocol version 2099-01-01, the client supports 2024-11-05, 2025-03-26,"
								+ " 2025-06-18, 2025-11-25, 2026-07-28. Use versions of the server and the client that"
								+ " share a protocol version."),
				new Failure("private", "http://localhost:" + html.port() + "/private?key=******",
						"HTTP 401 Unauthorized (Bearer, invalid_token)."
								+ " Set mcp.servers.private.auth.bearer.token."),
				new Failure("refusing", "http://localhost:" + REFUSING_PORT + "/mcp",
						"Connection refused: localhost/127.0.0.1:" + REFUSING_PORT
								+ ". Check that the server is running and that mcp.servers.refusing.url is right."),
				new Failure("silent", "http://localhost:" + silent.getLocalPort() + "/mcp",
						"No response to initialize within 1000 ms. Check that http://localhost:" + silent.getLocalPort()
								+ "/mcp is an MCP server, or raise mcp.servers.silent.initialization-timeout."));
	}

	@ParameterizedTest
	@MethodSource("failures")
	@Fault(value = FaultKind.NO_EXECUTABLE, over = Transport.STDIO)
	@Fault(value = FaultKind.EXIT_AT_START, over = Transport.STDIO)
	void aFailureTellsServerTargetCauseAndNextStep(Failure failure) {
		ManagedMcpServer server = application.manager().server(failure.server());
		await().until(() -> server.status().state() == McpServerState.UNAVAILABLE);
		McpServerStatus status = server.status();
		assertThat(status.target()).isEqualTo(failure.target());
		assertThat(status.lastError()).isEqualTo(failure.lastError());
		assertThat(status.attempts()).isEqualTo(1);
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> server.refresh())
			.withMessage("MCP server '" + failure.server() + "' (" + failure.target() + ") is UNAVAILABLE: "
					+ failure.lastError() + " Next attempt at " + status.nextRetry().truncatedTo(ChronoUnit.SECONDS)
					+ ".")
			.satisfies((ex) -> assertThat(ex.getNextRetry()).isEqualTo(status.nextRetry()).isNotNull());
	}

	@Test
	void theLogTellsTheSameAndNoSecret(CapturedOutput output) {
		await().until(() -> failures().stream()
			.allMatch((failure) -> status(failure.server()).state() == McpServerState.UNAVAILABLE));
		// the state is there a moment before its line
		for (Failure failure : failures()) {
			await().untilAsserted(() -> assertThat(output.getAll()).contains("MCP server '" + failure.server() + "' ("
					+ failure.target() + ") is UNAVAILABLE: " + failure.lastError()));
		}
		assertThat(output.getAll()).doesNotContain("topsecret");
	}

	@Test
	@Fault(value = FaultKind.NOISE, over = Transport.STDIO)
	@Fault(value = FaultKind.REFUSAL, over = Transport.STREAMABLE_HTTP)
	void aBannerAndTwoErrorsBeforeTheFirstAnswerEndReady() {
		await().until(() -> application.state("banner") == McpServerState.READY);
		await().until(() -> application.state("flaky") == McpServerState.READY);
		assertThat(application.text("banner_pid", Map.of())).containsOnlyDigits();
		assertThat(application.text("flaky_hello", Map.of("message", "now"))).isEqualTo("hello now");
		assertThat(status("flaky").attempts()).isEqualTo(3);
	}

	@Test
	@Fault(value = FaultKind.ONE_OF_MANY_DOWN, over = { Transport.STDIO, Transport.STREAMABLE_HTTP })
	void theGoodServerServesCallsAllTheWhile() {
		int before = calls.get();
		await().until(() -> calls.get() > before + 100);
		assertThat(callFailure.get()).isNull();
	}

	private static String path() {
		String path = System.getenv("PATH");
		return (path.length() <= 300) ? path : path.substring(0, path.lastIndexOf(':', 300) + 1) + "...";
	}

	private static void keepCalling() {
		while (!stop.get()) {
			try {
				application.text("good_hello", Map.of("message", "there"));
				calls.incrementAndGet();
			}
			catch (Throwable ex) {
				callFailure.compareAndSet(null, ex);
				return;
			}
		}
	}

	private static McpServerStatus status(String server) {
		return application.registry().server(server).status();
	}

	/**
	 * What is expected.
	 *
	 * @param server the name of the server
	 * @param target what was contacted
	 * @param lastError cause and next step
	 */
	record Failure(String server, String target, String lastError) {

		@Override
		public String toString() {
			return this.server;
		}

	}

}
