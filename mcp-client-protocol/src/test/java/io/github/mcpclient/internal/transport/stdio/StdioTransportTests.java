package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.TestSchedulers;
import io.github.mcpclient.internal.transport.DuplexTransport;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link StdioTransport}, with real child processes.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The children are shell scripts")
class StdioTransportTests {

	private static final ClientScheduler SCHEDULER = ClientScheduler.create();

	private static final ChildTree.Patience SHORT = new ChildTree.Patience(Duration.ofMillis(300),
			Duration.ofMillis(300), Duration.ofMillis(2000));

	// with this one a process that is not seen to end keeps a thread of ours
	private static final ChildTree.Patience ENDLESS = new ChildTree.Patience(Duration.ofHours(1), Duration.ofHours(1),
			Duration.ofHours(1));

	// answers each line that has an id, with a result that has nothing in it
	private static final String ANSWER = """
			while IFS= read -r line; do
			  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
			  printf '{"jsonrpc":"2.0","id":"%s","result":{}}\\n' "$id"
			done
			""";

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final BlockingQueue<JSONRPCMessage> received = new LinkedBlockingQueue<>();

	private final List<StdioTransport> transports = new ArrayList<>();

	@RegisterExtension
	private final CapturedLog noise = new CapturedLog(DuplexTransport.Skipped.class);

	@RegisterExtension
	private final CapturedLog stderr = new CapturedLog("io.github.mcpclient.stderr.child");

	private final Set<Thread> threadsBefore = threadsNow();

	private final Set<Long> processesBefore = Leaks.children();

	@TempDir
	private Path directory;

	@AfterEach
	void nothingIsLeft() {
		this.transports.forEach((transport) -> transport.closeGracefully().block(LIMIT));
		Awaitility.await().untilAsserted(() -> {
			assertThat(threads()).isEmpty();
			assertThat(processes()).isEmpty();
		});
	}

	@Test
	void errorWithoutAnIdAnswersTheHandshakeAndNothingElse() {
		String error = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"No licence\"}}";
		String result = "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{}}";
		StdioTransport transport = connect(sh("read -r line; echo '" + error + "'; read -r line; echo '"
				+ result.formatted("2") + "'; read -r line; echo '" + error + "'; echo '" + result.formatted("3")
				+ "'; cat > /dev/null"));
		send(transport, request("1", "initialize", Map.of()));
		JSONRPCResponse refused = (JSONRPCResponse) receive();
		assertThat(refused.id()).isEqualTo("1");
		assertThat(refused.error().message()).isEqualTo("No licence");
		for (String id : List.of("2", "3")) {
			send(transport, request(id, "initialize", Map.of()));
			JSONRPCResponse response = (JSONRPCResponse) receive();
			assertThat(response.id()).isEqualTo(id);
			assertThat(response.error()).isNull();
		}
	}

	@Test
	void answersRequest() {
		send(connect(StdioPeer.definition("peer")), request("1", "tools/call", Map.of("text", "grüße \uD83D\uDE00")));
		JSONRPCResponse response = (JSONRPCResponse) receive();
		assertThat(response.id()).isEqualTo("1");
		assertThat(((JsonNode) response.result()).at("/content/0/text").asString()).isEqualTo("grüße \uD83D\uDE00");
	}

	@Test
	void takesMessagesBeforeTheProcessHasStarted() {
		StdioTransport transport = transport(sh(ANSWER));
		Mono<Void> connected = transport.connect(handler()).cache();
		begin(connected);
		for (int i = 0; i < 5; i++) {
			begin(transport.sendMessage(request(Integer.toString(i))));
		}
		assertThat(Stream.generate(this::receive).limit(5)).map((message) -> ((JSONRPCResponse) message).id())
			.containsExactly("0", "1", "2", "3", "4");
		StepVerifier.create(connected).expectComplete().verify(LIMIT);
	}

	@Test
	@Fault(value = FaultKind.NO_EXECUTABLE, over = Transport.STDIO)
	void commandThatDoesNotExistFailsAllThatWaits() {
		StdioTransport transport = transport(McpServerDefinition.stdio("x", "does-not-exist-4711"));
		Mono<Void> connected = transport.connect(handler()).cache();
		begin(connected);
		Mono<Void> sent = transport.sendMessage(request("1")).cache();
		begin(sent);
		for (Mono<Void> mono : List.of(connected, sent, transport.termination())) {
			StepVerifier.create(mono).expectErrorSatisfies((ex) -> {
				assertThat(ex).isInstanceOf(TransportException.class)
					.hasMessage("Cannot start 'does-not-exist-4711': no such executable on the PATH ("
							+ System.getenv("PATH") + ")");
				TransportException failure = (TransportException) ex;
				assertThat(failure.getNextStep())
					.isEqualTo("Install it, or set mcp.servers.x.command to its full path.");
				assertThat(failure.isPossiblyProcessed()).isFalse();
			}).verify(LIMIT);
		}
	}

	@Test
	void connectsOnlyOnce() {
		StdioTransport transport = connect(sh(ANSWER));
		assertThatIllegalStateException().isThrownBy(() -> transport.connect(handler()).block(LIMIT));
	}

	@Test
	void refusesEverythingOnceClosed() {
		StdioTransport transport = transport(sh(ANSWER));
		transport.closeGracefully().block(LIMIT);
		transport.closeGracefully().block(LIMIT);
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> transport.connect(handler()).block(LIMIT))
			.withMessage("The transport is closed");
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> send(transport, request("1")))
			.satisfies((ex) -> assertThat(ex.isPossiblyProcessed()).isFalse());
		StepVerifier.create(transport.termination()).expectComplete().verify(LIMIT);
	}

	@Test
	void refusesMessagesBeforeItIsConnected() {
		StdioTransport transport = transport(sh(ANSWER));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> send(transport, request("1")))
			.withMessage("The transport is not connected");
	}

	@Test
	@Fault(value = FaultKind.NOISE, over = Transport.STDIO)
	void skipsWhatIsNoMessage() {
		StdioTransport transport = connect(
				sh("""
						printf 'Starting my server \\033[1mv1\\033[0m on s3cr3t-v4lue\\n\\n  \\n\\r\\n'
						printf '{"level":30,"msg":"ready","id":1}\\n\\000\\001\\377\\376\\n[]\\n[1]\\nnull\\n'
						printf '\\357\\273\\277{"jsonrpc":"2.0","method":"notifications/a"}\\r\\n'
						printf '[{"jsonrpc":"2.0","method":"notifications/b"},3,{"jsonrpc":"2.0","method":"notifications/c"}]\\n'
						printf '{"jsonrpc":"2.0","id":"q","result":null}\\n{"jsonrpc":"2.0","id":null,"result":{}}\\n'
						printf '{"jsonrpc":"2.0","id":5,"method":"ping"}\\n'
						"""
						+ ANSWER)
					.env(Map.of("KEY", "s3cr3t-v4lue")));
		assertThat(Stream.generate(this::receive).limit(3)).map((message) -> ((JSONRPCNotification) message).method())
			.containsExactly("notifications/a", "notifications/b", "notifications/c");
		JSONRPCResponse failed = (JSONRPCResponse) receive();
		assertThat(failed.id()).isEqualTo("q");
		assertThat(failed.error()).isNotNull();
		assertThat(((JSONRPCRequest) receive()).id()).isEqualTo(5);
		send(transport, request("1"));
		assertThat(((JSONRPCResponse) receive()).id()).isEqualTo("1");
		assertThat(this.noise.lines(Level.INFO)).containsExactly(
				"Skipped line 1 on the stdout of MCP server 'child' that is not an MCP message (it is not JSON): "
						+ "'Starting my server v1 on ******'. Further ones are logged at DEBUG.");
		// of seven lines, the second and the fourth
		assertThat(this.noise.lines(Level.DEBUG)).hasSize(2);
	}

	@Test
	void messageAndItsLineFeedMayComeApart() {
		List<String> deviations = new CopyOnWriteArrayList<>();
		StdioTransport transport = transport(sh(ANSWER.replace("\\n' \"$id\"", "' \"$id\"; printf '\\n'")));
		transport.onDeviation((kind, detail) -> deviations.add(kind + " " + detail));
		transport.connect(handler()).block(LIMIT);
		for (int i = 0; i < 20; i++) {
			send(transport, request("" + i));
			assertThat(((JSONRPCResponse) receive()).id()).isEqualTo("" + i);
		}
		assertThat(deviations).isEmpty();
	}

	@Test
	void floodOfTextThatQuotesResponsesAnswersNothing() {
		StdioTransport transport = connect(
				sh("read -r line; printf '{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\\n'; "
						+ "read -r line; yes 'sent {\"jsonrpc\":\"2.0\",\"id\":\"2\",\"result\":{}}' | head -n 20000; "
						+ "seq -f 'sent {\"jsonrpc\":\"2.0\",\"id\":\"%g\",\"result\":{}}' 2 20000; "
						+ "printf '{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":{}}\\n'; cat > /dev/null"));
		for (String id : List.of("1", "3")) {
			send(transport, request(id));
			assertThat(((JSONRPCResponse) receive()).id()).isEqualTo(id);
		}
	}

	@Test
	@Timeout(20)
	void eachByteOfALineThatIsNoMessageIsLookedAtOnce() {
		List<String> deviations = new CopyOnWriteArrayList<>();
		StdioTransport transport = transport(sh(
				"read -r line; yes '{\"' | head -n 500000 | tr -d '\\n'; echo; yes 'x{}' | head -n 20000 | tr -d '\\n'; echo; "
						+ "printf '{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\\n'; cat > /dev/null"));
		transport.onDeviation((kind, detail) -> deviations.add(kind + " " + detail));
		transport.connect(handler()).block(LIMIT);
		send(transport, request("1"));
		assertThat(((JSONRPCResponse) receive()).id()).isEqualTo("1");
		assertThat(deviations).isNotEmpty();
	}

	@Test
	@Fault(value = FaultKind.EXIT_AT_START, over = Transport.STDIO)
	void tellsExitCodeAndLastWords() {
		StdioTransport transport = connect(sh("echo 'no API key'; echo 'cannot work' >&2; echo so >&2; exit 3"));
		TransportException failure = failure(transport);
		assertThat(failure)
			.hasMessage("The process exited with code 3 before it responded: last lines of stderr: cannot work | so");
		assertThat(failure.getNextStep()).contains("mcp.servers.child.command");
		assertThat(failure.getSummary()).isEqualTo("The process exited with code 3 before it responded");
		assertThat(transport.stderr()).containsExactly("cannot work", "so");
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> send(transport, request("1")))
			.withMessageStartingWith("The process exited with code 3")
			.satisfies((ex) -> assertThat(ex.isPossiblyProcessed()).isFalse());
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /root/.npm/_npx/5b7b3d0e/node_modules/a.js",
			"Error: Cannot find module 'C:\\\\Users\\\\J. Doe\\\\npm-cache\\\\_npx\\\\5b7b3d0e\\\\node_modules\\\\a.js'",
			"npm error code ENOTEMPTY\nnpm error syscall rename\nnpm error path /root/.npm/_npx/5b7b3d0e/node_modules/a" })
	void tellsHowToMendTheCacheOfNpx(String stderr) {
		StdioTransport transport = connect(sh("cat >&2 <<'END'\n" + stderr + "\nEND\nexit 1"));
		StepVerifier.create(transport.termination())
			.expectErrorSatisfies((ex) -> assertThat(((TransportException) ex).getNextStep())
				.isEqualTo("The package that npx has installed is incomplete: delete the folder _npx/5b7b3d0e in npm's "
						+ "cache (see: npm config get cache), and it will be installed again."))
			.verify(LIMIT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Error: Cannot find module '/app/server.js'",
			"at run (/root/.npm/_npx/5b7b3d0e/node_modules/a.js): no API key" })
	void otherFailuresAreNotThoseOfTheCache(String stderr) {
		StdioTransport transport = connect(sh("cat >&2 <<'END'\n" + stderr + "\nEND\nexit 1"));
		assertThat(failure(transport).getNextStep()).startsWith("Run the command manually");
	}

	@Test
	void tellsLastLinesOfStdoutWhereThereIsNothingElse() {
		StdioTransport transport = connect(sh("echo 'Port 80 is in use'; exit 1"));
		assertThat(failure(transport))
			.hasMessage("The process exited with code 1 before it responded: last lines of stdout: Port 80 is in use");
	}

	@Test
	void refusesProcessThatEchoes() {
		StdioTransport transport = connect(McpServerDefinition.stdio("child", "cat"));
		// before the end, which a client that does not ask for it is told by an answer
		Mono<Void> termination = transport.termination();
		begin(transport.sendMessage(request("1")));
		StepVerifier.create(termination).expectErrorSatisfies((ex) -> {
			assertThat(ex).hasMessage("The process echoes each message, so it is not an MCP server");
			assertThat(((TransportException) ex).getNextStep()).contains("mcp.servers.child.command");
		}).verify(LIMIT);
		assertThat(this.received).isEmpty();
	}

	@Test
	void deliversLastAnswerBeforeItTellsTheEnd() {
		for (int i = 0; i < 10; i++) {
			List<String> events = new ArrayList<>();
			StdioTransport transport = transport(
					sh("read line; printf '{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}'; exit 0"));
			Mono<Void> end = transport.termination()
				.doOnError((ex) -> events.add(String.valueOf(ex.getMessage())))
				.cache();
			begin(end);
			transport.connect((message) -> message.doOnNext((response) -> events.add("answer"))).block(LIMIT);
			// the process may have gone before it is noted that all was written
			begin(transport.sendMessage(request("1")));
			StepVerifier.create(end).expectError().verify(LIMIT);
			assertThat(events).containsExactly("answer", "The process exited with code 0");
		}
	}

	@Test
	@Fault(value = FaultKind.EXIT_IN_CALL, over = Transport.STDIO)
	void noticesKillAtOnce() throws Exception {
		StdioTransport transport = connect(sh("read line; kill -9 $$"));
		Mono<Void> end = transport.termination().cache();
		sendToOneThatExits(transport);
		StepVerifier.create(end)
			.expectErrorMessage("The process exited with code 137 (killed) before it responded")
			.verify(LIMIT);
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "Only there can the other process be found")
	void noticesExitThoughAnotherProcessHoldsTheStreams() {
		StdioTransport transport = connect(sh("sleep 100 & echo $! >&2; read line; exit 4"));
		sendToOneThatExits(transport);
		assertThat(failure(transport)).hasMessageStartingWith("The process exited with code 4 before it responded");
		// which is nobody's child any more
		awaitEnd(processNamedOnStderr(transport));
	}

	@Test
	void killsProcessThatClosedItsStdout() {
		StdioTransport transport = connect(sh("echo why >&2; exec >&-; sleep 100"));
		assertThat(failure(transport))
			.hasMessage("The process closed its stdout before it responded: last lines of stderr: why");
		awaitNoProcess();
	}

	@Test
	void noticesProcessThatClosedItsStdin() {
		StdioTransport transport = connect(sh("exec <&-; echo ready >&2; sleep 100"));
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		assertThat(transport.hasEnded()).isFalse();
		StepVerifier.create(transport.sendMessage(request("1"))).expectErrorSatisfies((ex) -> {
			assertThat(ex).hasMessageStartingWith("The process closed its stdin before it responded");
			assertThat(transport.hasEnded()).isTrue();
			assertThat(((TransportException) ex).isPossiblyProcessed()).isTrue();
		}).verify(LIMIT);
	}

	@Test
	@Fault(value = FaultKind.STDERR, over = Transport.STDIO)
	void survivesClosedStderr() {
		StdioTransport transport = connect(sh("exec 2>&-\n" + ANSWER));
		send(transport, request("1"));
		receive();
		Awaitility.await().untilAsserted(() -> assertThat(threads()).noneMatch((name) -> name.endsWith("-stderr")));
		send(transport, request("2"));
		assertThat(((JSONRPCResponse) receive()).id()).isEqualTo("2");
	}

	@Test
	@Fault(value = FaultKind.STDERR, over = Transport.STDIO)
	void survivesFloodOnStderr() {
		StdioTransport transport = connect(sh("head -c 5000000 /dev/zero | tr '\\0' x >&2\n" + ANSWER));
		send(transport, request("1"));
		receive();
		assertThat(transport.stderr()).isEmpty();
		transport.closeGracefully().block(LIMIT);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(transport.stderr()).singleElement().asString().hasSize(503).endsWith("xxx..."));
	}

	@Test
	void floodOnStderrIsNotAFloodInTheLog() {
		StdioTransport transport = connect(sh("yes '\033[1mno\033[0m' | head -n 100000 >&2; echo last >&2\n" + ANSWER));
		send(transport, request("1"));
		receive();
		Awaitility.await().until(() -> transport.stderr().contains("last"));
		assertThat(this.stderr.events()).hasSizeBetween(100, 50_000)
			.anySatisfy((event) -> assertThat(event.getFormattedMessage()).endsWith("further lines are omitted"));
	}

	@Test
	void noiseOfOneProcessAfterTheOtherIsToldOnce() {
		StdioTransportFactory factory = new StdioTransportFactory(this.mapper, SCHEDULER);
		McpServerDefinition definition = sh("echo Welcome; exit 1").build();
		for (int i = 0; i < 9; i++) {
			StdioTransport transport = (StdioTransport) factory.create(definition);
			this.transports.add(transport);
			transport.connect(handler()).onErrorComplete().block(LIMIT);
			transport.termination().onErrorComplete().block(LIMIT);
		}
		assertThat(this.noise.lines(Level.INFO)).hasSize(1);
		assertThat(this.noise.events()).hasSize(4)
			.last()
			.satisfies((event) -> assertThat(event.getFormattedMessage())
				.startsWith("Skipped line 8 on the stdout of MCP server 'child'"));
	}

	@Test
	void keepsLastLinesOfStderrWithoutSecrets() {
		StdioTransport transport = connect(
				sh("i=0; while [ $i -lt 30 ]; do echo \"line $i $TOKEN\" >&2; i=$((i+1)); done; exit 1")
					.env(Map.of("TOKEN", "s3cr3t-v4lue")));
		assertThat(failure(transport)).hasMessageEndingWith("| line 29 ******").message().doesNotContain("s3cr3t");
		assertThat(transport.stderr()).hasSize(20).first().isEqualTo("line 10 ******");
		Awaitility.await().untilAsserted(() -> assertThat(this.stderr.events()).hasSize(30));
		assertThat(this.stderr.events()).map(ILoggingEvent::getFormattedMessage)
			.allMatch((line) -> line.endsWith(" ******"))
			.first()
			.isEqualTo("line 0 ******");
		assertThat(this.stderr.events()).map(ILoggingEvent::getLevel).containsOnly(Level.DEBUG);
	}

	@Test
	void politeProcessIsNotSignalled() {
		StdioTransport transport = connect(sh("cat >/dev/null"), ENDLESS);
		transport.closeGracefully().block(LIMIT);
		awaitNoProcess();
		StepVerifier.create(transport.termination()).expectComplete().verify(LIMIT);
	}

	@Test
	@Fault(value = FaultKind.STUBBORN_CHILD, over = Transport.STDIO)
	void stubbornProcessIsKilled() {
		StdioTransport transport = connect(sh("trap '' TERM\necho ready >&2\nwhile :; do sleep 0.05; done"));
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		transport.closeGracefully().block(LIMIT);
		awaitNoProcess();
	}

	@Test
	void processThatEndsOnSigtermIsNotKilled() throws IOException {
		Path marker = this.directory.resolve("terminated");
		StdioTransport transport = connect(
				sh("trap 'echo > " + marker + "; exit 0' TERM\necho ready >&2\nwhile :; do sleep 0.05; done"));
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		transport.closeGracefully().block(LIMIT);
		Awaitility.await().untilAsserted(() -> assertThat(marker).exists());
	}

	@Test
	void stopsWithinFiveSeconds() {
		assertThat(ChildTree.Patience.STOP.total()).isLessThanOrEqualTo(Duration.ofSeconds(5));
		assertThat(ChildTree.Patience.LOST.total()).isLessThanOrEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void processSeesItsInputCloseWhenTheApplicationIsKilled() throws Exception {
		Path ready = this.directory.resolve("ready");
		Path marker = this.directory.resolve("closed");
		Process parent = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), StdioParent.class.getName(),
				"echo > " + ready + "; cat >/dev/null; echo > " + marker)
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			Awaitility.await().until(() -> Files.exists(ready));
		}
		finally {
			parent.destroyForcibly().waitFor();
		}
		Awaitility.await().until(() -> Files.exists(marker));
	}

	@Test
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void grandchildrenAreStopped() {
		// the middle one ends with its input, and leaves one that cares for nothing
		StdioTransport transport = connect(sh("""
				sh -c 'sh -c "trap \\"\\" TERM; while :; do sleep 0.05; done" & echo ready >&2; cat >/dev/null'
				"""));
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		List<ProcessHandle> family = awaitProcesses(3);
		transport.closeGracefully().block(LIMIT);
		awaitEnd(family);
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "Only there can the other process be found")
	void grandchildStartedAsTheProcessEndsIsStopped() {
		StdioTransport transport = connect(sh("cat >/dev/null; sleep 100 & echo $! >&2"));
		transport.closeGracefully().block(LIMIT);
		// which is nobody's child any more
		awaitEnd(processNamedOnStderr(transport));
	}

	@Test
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void grandchildrenOfCrashedProcessAreStopped() {
		StdioTransport transport = connect(sh("sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' &\n" + ANSWER));
		send(transport, request("1"));
		receive();
		List<ProcessHandle> family = awaitProcesses(2);
		// the process itself, whose child is to be found all the same
		family.stream()
			.filter((process) -> process.parent().equals(Optional.of(ProcessHandle.current())))
			.forEach(ProcessHandle::destroyForcibly);
		failure(transport);
		awaitEnd(family);
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "Only there can the other process be found")
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void daemonIsStopped() {
		// a session of its own, nobody's child, and nothing of the standard streams
		StdioTransport transport = connect(
				sh("""
						(setsid sh -c 'trap "" TERM; echo $$ >&2; exec >/dev/null 2>&1; while :; do sleep 0.05; done' </dev/null &)
						"""
						+ ANSWER));
		List<ProcessHandle> daemon = processNamedOnStderr(transport);
		assertThat(daemon).hasSize(1);
		transport.closeGracefully().block(LIMIT);
		awaitEnd(daemon);
	}

	@Test
	void unreapedGrandchildDoesNotHoldUpTheEnd() {
		StdioTransport transport = connect(sh("sleep 0.01 & echo ready >&2; exec cat"), ENDLESS);
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		transport.closeGracefully().block(LIMIT);
	}

	@Test
	@Fault(value = FaultKind.NO_ANSWER, over = Transport.STDIO)
	void processThatDoesNotReadItsStdinFailsTheSend() {
		StdioTransport transport = connect(sh("sleep 100").maxMessageSize(DataSize.ofKilobytes(64)));
		JSONRPCRequest request = request("1", "x", Map.of("text", "x".repeat(60_000)));
		AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();
		List<Disposable> waiting = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			waiting.add(transport.sendMessage(request).subscribe(null, refusal::set));
		}
		assertThat(refusal.get()).hasMessageStartingWith("The process does not read its stdin: ")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false)
			.extracting("nextStep")
			.asString()
			.contains("mcp.servers.child.command");
		// who gives up makes room
		waiting.forEach(Disposable::dispose);
		refusal.set(null);
		transport.sendMessage(request).subscribe(null, refusal::set);
		assertThat(refusal.get()).isNull();
		assertThat(transport.termination().toFuture()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.ENDLESS, over = Transport.STDIO)
	void endlessLineEndsTheConnection() {
		StdioTransport transport = connect(sh("cat /dev/zero | tr '\\0' x").maxMessageSize(DataSize.ofKilobytes(64)));
		TransportException failure = failure(transport);
		assertThat(failure).hasMessage("The process sent a message of more than 65536 bytes");
		assertThat(failure.getNextStep()).contains("mcp.servers.child.max-message-size");
		awaitNoProcess();
	}

	@Test
	@Fault(value = FaultKind.ENDLESS, over = Transport.STDIO)
	void endlessAnswerEndsTheConnection() {
		StdioTransport transport = connect(
				sh("printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"'; cat /dev/zero | tr '\\0' x")
					.maxMessageSize(DataSize.ofKilobytes(64)));
		assertThat(failure(transport)).hasMessage("The process sent a message of more than 65536 bytes");
		awaitNoProcess();
	}

	@Test
	void hugeMessagesPassBothWays() {
		StdioTransport transport = connect(StdioPeer.definition("peer"));
		String text = "x".repeat(3 * 1024 * 1024);
		send(transport, request("1", "tools/call", Map.of("text", text)));
		JSONRPCResponse response = (JSONRPCResponse) receive();
		assertThat(((JsonNode) response.result()).at("/content/0/text").asString()).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ISO-8859-1", "UTF-16", "UTF-16LE" })
	void speaksTheEncodingOfTheProcess(String encoding) {
		StdioTransport transport = connect(StdioPeer.definition("peer", encoding).encoding(Charset.forName(encoding)));
		for (String id : List.of("1", "2")) {
			send(transport, request(id, "tools/call", Map.of("text", "grüße")));
			JSONRPCResponse response = (JSONRPCResponse) receive();
			assertThat(response.id()).isEqualTo(id);
			assertThat(((JsonNode) response.result()).at("/content/0/text").asString()).isEqualTo("grüße");
		}
	}

	@Test
	void processSeesOnlyHarmlessVariables() {
		StdioTransport transport = connect(sh("env | cut -d= -f1 >&2").env(Map.of("GIVEN", "value")));
		failure(transport);
		Set<String> byTheShell = Set.of("PWD", "OLDPWD", "SHLVL", "_");
		assertThat(transport.stderr()).contains("PATH", "GIVEN")
			.allMatch((name) -> byTheShell.contains(name) || name.startsWith("LC_")
					|| Set
						.of("PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR",
								"GIVEN", "MCP_CLIENT_CHILD")
						.contains(name));
	}

	@Test
	void processRunsInWorkingDirectory() throws IOException {
		StdioTransport transport = connect(sh("pwd >&2").workingDirectory(this.directory));
		failure(transport);
		assertThat(transport.stderr()).containsExactly(this.directory.toRealPath().toString());
	}

	@Test
	@Fault(value = FaultKind.START_RACES_STOP, over = Transport.STDIO)
	void closeThatRacesConnectLeavesNothing() {
		ChildTree.Patience none = new ChildTree.Patience(Duration.ofMillis(20), Duration.ofMillis(20),
				Duration.ofSeconds(2));
		for (int i = 0; i < 30; i++) {
			StdioTransport transport = transport(sh("sleep 100"), none);
			Mono<Void> connect = transport.connect(handler()).onErrorComplete(TransportException.class).cache();
			Thread closer = new Thread(() -> transport.closeGracefully().subscribe());
			if (i % 2 == 0) {
				closer.start();
				connect.subscribe();
			}
			else {
				connect.subscribe();
				closer.start();
			}
			transport.closeGracefully().block(LIMIT);
			StepVerifier.create(connect).expectComplete().verify(LIMIT);
			awaitNoProcess();
		}
	}

	@Test
	void closeFailsWhatWaits() {
		StdioTransport transport = connect(sh("sleep 100").maxMessageSize(DataSize.ofMegabytes(4)));
		List<Mono<Void>> waiting = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Mono<Void> sent = transport.sendMessage(request("1", "x", Map.of("text", "x".repeat(100_000)))).cache();
			begin(sent);
			waiting.add(sent);
		}
		transport.closeGracefully().block(LIMIT);
		waiting
			.forEach((sent) -> StepVerifier.create(sent).expectErrorMessage("The transport is closed").verify(LIMIT));
	}

	@Test
	void manyThreadsSendAtOnce() throws Exception {
		StdioTransport transport = connect(StdioPeer.definition("peer"));
		ExecutorService threads = Executors.newFixedThreadPool(64);
		try {
			List<Future<?>> sent = new ArrayList<>();
			for (int i = 0; i < 64; i++) {
				String prefix = i + "-";
				sent.add(threads.submit(() -> {
					for (int j = 0; j < 50; j++) {
						send(transport, request(prefix + j, "tools/call", Map.of("text", "x".repeat(j))));
					}
				}));
			}
			for (Future<?> future : sent) {
				future.get(30, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(Stream.generate(this::receive).limit(64 * 50)).map((message) -> ((JSONRPCResponse) message).id())
			.doesNotHaveDuplicates();
	}

	@Test
	void hasThreeDaemonThreadsAndDeliversOnNoneOfThem() {
		StdioTransport transport = transport(sh(ANSWER));
		BlockingQueue<Thread> deliverers = new LinkedBlockingQueue<>();
		transport.connect((message) -> message.doOnNext((next) -> deliverers.add(Thread.currentThread())))
			.doOnSuccess((ignored) -> deliverers.add(Thread.currentThread()))
			.block(LIMIT);
		transport.sendMessage(new JSONRPCNotification("notifications/x"))
			.doOnSuccess((ignored) -> deliverers.add(Thread.currentThread()))
			.block(LIMIT);
		send(transport, request("1"));
		Awaitility.await().until(() -> deliverers.size() >= 3);
		assertThat(deliverers).allMatch((thread) -> thread.getName().startsWith("mcp-parallel-"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(threads()).containsExactlyInAnyOrder("mcp-child-stdout", "mcp-child-stdin",
					"mcp-child-stderr"));
		assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> thread.getName().startsWith("mcp-"))
			.allMatch(Thread::isDaemon);
	}

	@Test
	void handlerThatFailsCostsOneMessage() {
		StdioTransport transport = transport(sh(ANSWER));
		transport.connect((message) -> message.flatMap((next) -> {
			String id = String.valueOf(((JSONRPCResponse) next).id());
			if (id.equals("1")) {
				throw new IllegalStateException("in the operator");
			}
			this.received.add(next);
			return Mono.empty();
		})).block(LIMIT);
		send(transport, request("1"));
		send(transport, request("2"));
		assertThat(((JSONRPCResponse) receive()).id()).isEqualTo("2");
	}

	@Test
	void slowHandlerSlowsTheProcess() throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		StdioTransport transport = transport(sh("""
				i=0; while [ $i -lt 3000 ]; do
				printf '{"jsonrpc":"2.0","method":"notifications/x","params":{"i":%s,"pad":"%01000d"}}\\n' $i 0
				i=$((i+1)); done; echo done >&2; cat >/dev/null"""));
		transport.connect((message) -> message.doOnNext((next) -> {
			await(go);
			this.received.add(next);
		})).block(LIMIT);
		// far more than pipes and buffers hold, and nothing gets lost
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> transport.stderr().isEmpty());
		go.countDown();
		for (int i = 0; i < 3000; i++) {
			JSONRPCNotification next = (JSONRPCNotification) receive();
			assertThat(((JsonNode) next.params()).get("i").asInt()).isEqualTo(i);
		}
	}

	@Test
	void stuckHandlerDoesNotHideTheEnd() {
		CountDownLatch never = new CountDownLatch(1);
		StdioTransport transport = transport(
				sh("printf '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\\n'; exit 1"), SHORT,
				TestSchedulers.elastic());
		afterTest(never::countDown);
		transport.connect((message) -> message.doOnNext((next) -> await(never))).block(LIMIT);
		assertThat(failure(transport)).hasMessage("The process exited with code 1");
	}

	@Test
	void worksUnderTheClientOfTheSdk() {
		McpAsyncClient client = McpClient.async(transport(StdioPeer.definition("peer"))).build();
		assertThat(client.initialize().block(LIMIT).serverInfo().name()).isEqualTo("peer");
		assertThat(client.listTools().block(LIMIT).tools()).singleElement()
			.satisfies((tool) -> assertThat(tool.name()).isEqualTo("echo"));
		// it knows nothing of termination, but its call ends all the same
		assertThatExceptionOfType(McpError.class)
			.isThrownBy(() -> client.callTool(CallToolRequest.builder("echo").arguments(Map.of("exit", true)).build())
				.block(LIMIT))
			.withMessageContaining("The process exited with code 7: last lines of stderr: told to exit");
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> client.ping().block(LIMIT))
			.withMessageContaining("exited with code 7");
		client.closeGracefully().block(LIMIT);
	}

	@Test
	void stopsManyAtOnce() {
		List<StdioTransport> many = Flux.range(0, 8)
			.map((i) -> connect(sh("trap '' TERM\nwhile :; do sleep 0.05; done")))
			.collectList()
			.block(LIMIT);
		Flux.fromIterable(many).flatMap(StdioTransport::closeGracefully).blockLast(LIMIT);
		awaitNoProcess();
	}

	@Test
	void bindsResults() {
		StdioTransport transport = transport(sh(ANSWER));
		Object data = this.mapper.readTree("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
		Map<String, Integer> bound = transport.unmarshalFrom(data, new TypeRef<>() {
		});
		assertThat(bound).containsEntry("a", 1);
	}

	private static McpServerDefinitionBuilder sh(String script) {
		return McpServerDefinition.stdio("child", "sh", "-c", script);
	}

	private StdioTransport transport(McpServerDefinitionBuilder definition) {
		return transport(definition, SHORT);
	}

	private StdioTransport transport(McpServerDefinitionBuilder definition, ChildTree.Patience patience) {
		return transport(definition, patience, SCHEDULER);
	}

	private StdioTransport transport(McpServerDefinitionBuilder definition, ChildTree.Patience patience,
			ClientScheduler scheduler) {
		McpServerDefinition built = definition.build();
		StdioTransport transport = new StdioTransport(built, this.mapper, scheduler, patience,
				new DuplexTransport.Skipped(built));
		this.transports.add(transport);
		return transport;
	}

	private StdioTransport connect(McpServerDefinitionBuilder definition) {
		return connect(definition, SHORT);
	}

	private StdioTransport connect(McpServerDefinitionBuilder definition, ChildTree.Patience patience) {
		StdioTransport transport = transport(definition, patience);
		transport.connect(handler()).block(LIMIT);
		return transport;
	}

	private Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler() {
		return (message) -> message.doOnNext(this.received::add);
	}

	private static void send(StdioTransport transport, JSONRPCMessage message) {
		transport.sendMessage(message).block(LIMIT);
	}

	/**
	 * Send a message to a process that exits as soon as it has read it. That may be
	 * noticed before the message counts as written.
	 */
	private static void sendToOneThatExits(StdioTransport transport) {
		transport.sendMessage(request("1")).onErrorComplete(TransportException.class).block(LIMIT);
	}

	private static TransportException failure(StdioTransport transport) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		StepVerifier.create(transport.termination()).consumeErrorWith(failure::set).verify(LIMIT);
		return (TransportException) failure.get();
	}

	private static void begin(Mono<Void> mono) {
		// whoever cares looks at the mono itself
		mono.onErrorComplete().subscribe();
	}

	private JSONRPCMessage receive() {
		try {
			JSONRPCMessage message = this.received.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
			assertThat(message).as("message").isNotNull();
			return message;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		Unchecked.run(() -> latch.await());
	}

	private static JSONRPCRequest request(String id) {
		return request(id, "ping", Map.of());
	}

	private static JSONRPCRequest request(String id, String method, Map<String, Object> arguments) {
		return new JSONRPCRequest("2.0", method, id, Map.of("arguments", arguments));
	}

	private List<String> threads() {
		return threadsNow().stream()
			.filter((thread) -> !this.threadsBefore.contains(thread))
			.map(Thread::getName)
			.filter((name) -> name.startsWith("mcp-child-"))
			.toList();
	}

	private static Set<Thread> threadsNow() {
		return Thread.getAllStackTraces().keySet();
	}

	private static void awaitEnd(List<ProcessHandle> processes) {
		Awaitility.await().untilAsserted(() -> assertThat(processes).noneMatch(StdioTransportTests::isRunning));
	}

	private void awaitNoProcess() {
		Awaitility.await().untilAsserted(() -> assertThat(processes()).isEmpty());
	}

	private static List<ProcessHandle> processNamedOnStderr(StdioTransport transport) {
		Awaitility.await().until(() -> !transport.stderr().isEmpty());
		return ProcessHandle.of(Long.parseLong(transport.stderr().get(0))).stream().toList();
	}

	private List<ProcessHandle> awaitProcesses(int count) {
		return Awaitility.await().until(this::processes, (all) -> all.size() >= count);
	}

	private List<ProcessHandle> processes() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> !this.processesBefore.contains(process.pid()) && isRunning(process))
			.toList();
	}

	private static boolean isRunning(ProcessHandle process) {
		// a process that ended but whose new parent does not care has no command any more
		return process.isAlive() && process.info().command().isPresent();
	}

}
