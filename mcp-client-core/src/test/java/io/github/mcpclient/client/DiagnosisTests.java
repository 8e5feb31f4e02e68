package io.github.mcpclient.client;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Certificates;
import io.github.mcpclient.testsupport.ForwardProxy;
import io.github.mcpclient.testsupport.PlantedFault;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.netty.handler.ssl.SslContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ManagedMcpServer#diagnose()}, with servers that have one fault each.
 */
class DiagnosisTests {

	@TempDir
	Path directory;

	private final StandaloneMcpClient client = StandaloneMcpClient.builder()
		.startupWait(Duration.ZERO)
		.add(tls())
		.build();

	// bundles are files that are trusted
	private McpHttpClientFactory tls() {
		McpHttpClientFactory simple = McpHttpClientFactory.simple();
		return (definition, connections) -> {
			String bundle = definition.http().sslBundle();
			if (bundle == null) {
				return simple.create(definition, connections);
			}
			SslContext trusting = Unchecked.get(() -> new Certificates(this.directory).client(bundle + "-trust"));
			return simple.create(definition.mutate().sslBundle(null).build(), connections)
				.secure((spec) -> spec.sslContext(trusting));
		};
	}

	@ParameterizedTest
	@EnumSource
	void findsTheStepThatFails(PlantedFault fault) {
		ManagedMcpServer server = add(fault.plantIn("planted", this.directory));
		McpDiagnosis diagnosis = diagnose(server);
		Step failed = diagnosis.steps()
			.stream()
			.filter((step) -> step.outcome() == Outcome.FAILED)
			.findFirst()
			.orElseThrow(() -> new AssertionError(diagnosis));
		assertThat(failed.kind()).as("%s", diagnosis).isEqualTo(fault.step());
		assertThat(failed.detail()).contains(fault.detail());
		assertThat(failed.advice()).contains(fault.advice());
		assertThat(diagnosis.steps()).filteredOn((step) -> step.kind().compareTo(fault.step()) > 0)
			.allSatisfy((step) -> assertThat(step.outcome()).isNotEqualTo(Outcome.FAILED));
		assertThat(step(diagnosis, StepKind.LISTING).outcome()).isNotEqualTo(Outcome.PASSED);
		if (fault != PlantedFault.DISABLED) {
			await().until(() -> server.status().state() == McpServerState.UNAVAILABLE);
			assertThat(server.status().failedStep()).isEqualTo(fault.step());
		}
	}

	@Test
	void aProcessThatIsSilentIsQuotedWhileItRuns() {
		ManagedMcpServer server = add(McpServerDefinition
			.stdio("silent", "sh", "-c", "echo waiting for a database at $SECRET >&2; cat >/dev/null")
			.env(Map.of("SECRET", "s3cret-of-mine"))
			.initializationTimeout(Duration.ofSeconds(1))
			.reconnect(new Reconnect(true, Duration.ofMillis(100), 1.0, Duration.ofMillis(100), 0.0))
			.build());
		String expected = "No response to server/discover or initialize within 1000 ms: last lines of stderr: waiting for a database at ******";
		// a machine under load may have no time to start it
		await().untilAsserted(() -> assertThat(server.status().lastError()).startsWith(expected + ". Check that sh "));
		await().until(() -> step(diagnose(server), StepKind.INITIALIZE).detail().equals(expected));
	}

	@Test
	void findsNothingWrongWithAServerAndLeavesItsConnectionAlone() {
		McpTestServer server = closing(McpTestServer.create().tools("hello", "bye").start());
		List<McpServerEvent> events = new CopyOnWriteArrayList<>();
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("demo", URI.create(server.url()))
				.headers(Map.of("Authorization", "Bearer s3cret-of-mine"))
				.build())
			.listener(events::add)
			.build()) {
			ManagedMcpServer demo = client.manager().server("demo");
			CompletableFuture<?> go = new CompletableFuture<>();
			server.onNext("tools/call", McpTestReply.text("late").after(go));
			CompletableFuture<McpToolResult> call = client.tools().get("demo_hello").callAsync(Map.of()).toFuture();
			server.awaitPending("tools/call", 1);
			McpServerStatus status = demo.status();
			Set<String> sessions = server.sessions();
			// those of the connection come later
			await().until(() -> events.stream()
				.anyMatch((event) -> event instanceof McpServerStateChangedEvent changed
						&& changed.status().state() == McpServerState.READY));
			events.clear();
			McpDiagnosis diagnosis = diagnose(demo);
			assertThat(diagnosis.passed()).as("%s", diagnosis).isTrue();
			assertThat(diagnosis.server()).isEqualTo("demo");
			assertThat(step(diagnosis, StepKind.DNS).detail()).startsWith("localhost is ");
			assertThat(step(diagnosis, StepKind.TCP).detail()).contains(":" + server.port() + " in ");
			assertThat(step(diagnosis, StepKind.TLS).detail()).isEqualTo("The URL has no TLS");
			assertThat(step(diagnosis, StepKind.HTTP).detail()).isEqualTo("POST: the server responded with HTTP 200");
			assertThat(step(diagnosis, StepKind.CONTENT_TYPE).detail()).isEqualTo("application/json");
			assertThat(step(diagnosis, StepKind.TOKEN).detail()).isEqualTo("Bearer credentials are sent");
			assertThat(step(diagnosis, StepKind.PROTOCOL).detail()).isEqualTo("MCP 2025-11-25");
			assertThat(step(diagnosis, StepKind.LISTING).detail()).isEqualTo("2 tools");
			assertThat(diagnosis.toString()).doesNotContain("s3cret-of-mine");
			// its own session has ended
			await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(sessions));
			assertThat(demo.status()).usingRecursiveComparison().isEqualTo(status);
			assertThat(demo.recentStates()).hasSize(2);
			assertThat(events).isEmpty();
			go.complete(null);
			assertThat(call).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("late");
			assertThat(server.requests("initialize")).hasSize(2);
		}
	}

	@Test
	void masksWhatAServerRepeats() {
		McpTestServer server = closing(McpTestServer.create()
			.on("POST",
					McpTestReply.status(401)
						.withHeader("WWW-Authenticate", "Bearer error_description=\"pr0vided-t0ken is unknown\"")
						.body("text/html", "pr0vided-t0ken"))
			.start());
		McpHeadersProvider provider = McpHeadersProvider
			.of((request) -> Map.of("Authorization", "Bearer pr0vided-t0ken"));
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.add(provider)
			.server(McpServerDefinition.http("echo", URI.create(server.url())).build())
			.build()) {
			McpDiagnosis diagnosis = diagnose(client.manager().server("echo"));
			assertThat(step(diagnosis, StepKind.AUTHORIZATION_METADATA).detail()).endsWith("is unknown\"");
			assertThat(step(diagnosis, StepKind.CONTENT_TYPE).advice()).contains("a web page");
			assertThat(diagnosis.toString()).doesNotContain("pr0vided");
		}
	}

	@Test
	void aServerThatWasRemovedIsNotContacted() {
		McpTestServer server = closing(McpTestServer.create().start());
		ManagedMcpServer removed = add(McpServerDefinition.http("removed", URI.create(server.url())).build());
		await().until(() -> removed.status().state() == McpServerState.READY);
		this.client.manager().remove("removed");
		server.forgetRequests();
		assertThat(diagnose(removed).passed()).isFalse();
		assertThat(server.requests()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aCheckEndsWithItsServer(boolean removed) throws Exception {
		Path started = this.directory.resolve("started");
		McpServerDefinition silent = McpServerDefinition
			.stdio("silent", "sh", "-c", "echo $$ >> '" + started + "'; exec sleep 600")
			.build();
		StandaloneMcpClient client = StandaloneMcpClient.builder().startupWait(Duration.ZERO).server(silent).build();
		try {
			CompletableFuture<McpDiagnosis> check = client.manager().server("silent").diagnoseAsync().toFuture();
			await().until(() -> Files.exists(started) && Files.readAllLines(started).size() == 2);
			List<ProcessHandle> processes = Files.readAllLines(started)
				.stream()
				.flatMap((pid) -> ProcessHandle.of(Long.parseLong(pid)).stream())
				.toList();
			assertThat(processes).hasSize(2);
			if (removed) {
				client.manager().remove("silent");
			}
			else {
				client.close();
			}
			assertThat(processes).noneMatch(ProcessHandle::isAlive);
			assertThat(check).succeedsWithin(LIMIT).extracting(McpDiagnosis::passed).isEqualTo(false);
		}
		finally {
			client.close();
		}
	}

	@Test
	void askersShareACheck() {
		CompletableFuture<?> go = new CompletableFuture<>();
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ManagedMcpServer shared = add(McpServerDefinition.http("shared", URI.create(server.url())).build());
		await().until(() -> shared.status().state() == McpServerState.READY);
		server.on("initialize", McpTestReply.standard().after(go));
		CompletableFuture<McpDiagnosis> first = shared.diagnoseAsync().toFuture();
		server.awaitPending("initialize", 1);
		CompletableFuture<McpDiagnosis> second = shared.diagnoseAsync().toFuture();
		// who goes does not end it for the others
		shared.diagnoseAsync().subscribe().dispose();
		go.complete(null);
		assertThat(first).succeedsWithin(LIMIT);
		assertThat(second).succeedsWithin(LIMIT).isSameAs(first.join());
		assertThat(diagnose(shared)).isNotSameAs(first.join());
	}

	@Test
	void someChecksRunAtATime() {
		McpTestServer server = closing(McpTestServer.create().on("POST", McpTestReply.never()).start());
		Map<Boolean, List<McpDiagnosis>> diagnoses = IntStream.range(0, 10)
			.mapToObj((i) -> add(McpServerDefinition.http("silent-" + i, URI.create(server.url()))
				.initializationTimeout(Duration.ofSeconds(1))
				.build()))
			.map((silent) -> silent.diagnoseAsync().toFuture())
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.collect(Collectors.partitioningBy(McpDiagnosis::passed));
		assertThat(diagnoses.get(false)).hasSize(8);
		assertThat(diagnoses.get(true)).hasSize(2)
			.allSatisfy((diagnosis) -> assertThat(diagnosis.steps()).singleElement()
				.extracting(Step::outcome)
				.isEqualTo(Outcome.SKIPPED));
	}

	@Test
	void checksOtherTransports() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		McpDiagnosis sse = diagnose(add(McpServerDefinition.of("sse", "sse").url(URI.create(server.sseUrl())).build()));
		assertThat(sse.passed()).as("%s", sse).isTrue();
		assertThat(step(sse, StepKind.TCP).outcome()).isEqualTo(Outcome.PASSED);
		McpDiagnosis socket = diagnose(
				add(McpServerDefinition.of("socket", "websocket").url(URI.create(server.webSocketUrl())).build()));
		assertThat(socket.passed()).as("%s", socket).isTrue();
		assertThat(step(socket, StepKind.TCP).outcome()).isEqualTo(Outcome.PASSED);
		assertThat(step(socket, StepKind.TLS).detail()).isEqualTo("The URL has no TLS");
		McpTransportFactory foreign = new McpTransportFactory() {

			@Override
			public Set<String> types() {
				return Set.of("in-memory");
			}

			@Override
			public McpClientTransport create(McpServerDefinition definition) {
				return server.transport();
			}

		};
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.add(foreign)
			.server(McpServerDefinition.of("memory", "in-memory").build())
			.build()) {
			assertThat(diagnose(client.manager().server("memory")).steps()).extracting(Step::kind, Step::outcome)
				.containsExactly(tuple(StepKind.CONFIGURATION, Outcome.PASSED),
						tuple(StepKind.PROTOCOL, Outcome.PASSED), tuple(StepKind.INITIALIZE, Outcome.PASSED),
						tuple(StepKind.LISTING, Outcome.PASSED));
		}
	}

	@Test
	void triesEachAddress() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.startupWait(Duration.ZERO)
			.add((McpHttpClientCustomizer) (name,
					http) -> http.resolvedAddressesSelector((config, addresses) -> List
						.of(new InetSocketAddress("127.0.0.77", server.port()), addresses.get(0))))
			.server(McpServerDefinition.http("two", URI.create(server.url())).build())
			.build()) {
			Step step = step(diagnose(client.manager().server("two")), StepKind.TCP);
			assertThat(step.outcome()).as("%s", step).isEqualTo(Outcome.WARNING);
			assertThat(step.detail()).contains("127.0.0.77:" + server.port() + ": Connection refused")
				.contains("127.0.0.1:" + server.port() + " in ");
		}
	}

	@Test
	void goesThroughAProxy() {
		ForwardProxy proxy = closing(ForwardProxy.start());
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		McpDiagnosis diagnosis = diagnose(add(McpServerDefinition.http("proxied", URI.create(server.url()))
			.proxy(new Proxy("localhost", proxy.port(), null, null))
			.build()));
		assertThat(diagnosis.passed()).as("%s", diagnosis).isTrue();
		assertThat(step(diagnosis, StepKind.DNS).detail()).isEqualTo("The proxy resolves the name");
		assertThat(step(diagnosis, StepKind.TCP).detail()).startsWith("The proxy localhost")
			.contains(":" + proxy.port());
	}

	@Test
	void warnsOfACertificateThatEndsSoonAndShowsItsChain() throws Exception {
		Certificates certificates = new Certificates(this.directory);
		certificates.createSigned("soon", "localhost", "-1d");
		SslContext tls = certificates.server("soon");
		McpTestServer server = closing(
				McpTestServer.create((http) -> http.secure((spec) -> spec.sslContext(tls))).tools("hello").start());
		McpDiagnosis diagnosis = diagnose(
				add(McpServerDefinition.http("soon", URI.create(server.url())).sslBundle("soon").build()));
		assertThat(diagnosis.passed()).isTrue();
		Step step = step(diagnosis, StepKind.TLS);
		assertThat(step.outcome()).isEqualTo(Outcome.WARNING);
		assertThat(step.detail()).startsWith("TLSv1.3, CN=soon until ").contains("; CN=soon CA until ");
		assertThat(step.advice()).isEqualTo("A certificate expires within 14 days: renew it.");
	}

	@Test
	void readsWhatAProcessWritesBeside() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		String command = server.stdioCommand()
			.stream()
			.map((word) -> "'" + word + "'")
			.collect(Collectors.joining(" ", "echo Starting; echo warm >&2; exec ", ""));
		McpDiagnosis diagnosis = diagnose(add(McpServerDefinition.stdio("noisy", "sh", "-c", command).build()));
		assertThat(diagnosis.passed()).as("%s", diagnosis).isTrue();
		assertThat(step(diagnosis, StepKind.EXECUTABLE).detail()).endsWith("/sh");
		Step process = step(diagnosis, StepKind.PROCESS);
		assertThat(process.outcome()).isEqualTo(Outcome.WARNING);
		assertThat(process.detail()).contains("is not a message: Starting").contains("stderr: warm");
		assertThat(step(diagnosis, StepKind.LISTING).detail()).isEqualTo("1 tool");
		// that of the connection goes on
		await().until(() -> server.processes().size() == 1);
	}

	@Test
	void theLogHasTheStepsOfARequiredServerThatFailsTheStart() {
		McpServerDefinition required = PlantedFault.CLOSED_PORT.plantIn("needed", this.directory)
			.mutate()
			.required(true)
			.initializationTimeout(Duration.ofSeconds(2))
			.build();
		try (CapturedLog log = new CapturedLog("io.github.mcpclient.internal.registry").open()) {
			assertThatExceptionOfType(RequiredMcpServerException.class)
				.isThrownBy(() -> StandaloneMcpClient.builder().server(required).build());
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("Required MCP server 'needed', step by step:", "DNS PASSED: localhost is",
						"TCP FAILED: Connection refused: ", ". Check that the server is running");
		}
	}

	private ManagedMcpServer add(McpServerDefinition definition) {
		this.client.manager().addAsync(definition).subscribe();
		return this.client.manager().server(definition.name());
	}

	private static McpDiagnosis diagnose(ManagedMcpServer server) {
		return server.diagnose();
	}

	private static Step step(McpDiagnosis diagnosis, StepKind kind) {
		return diagnosis.steps().stream().filter((step) -> step.kind() == kind).findFirst().orElseThrow();
	}

}
