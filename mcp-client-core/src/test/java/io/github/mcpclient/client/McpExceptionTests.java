package io.github.mcpclient.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultConversionException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests that each failure says what became of the request.
 */
class McpExceptionTests {

	private static final URI NOBODY = URI.create("http://localhost:9/mcp");

	private static final McpTestServer SERVER = McpTestServer.create()
		.tools("interceptor")
		.tool(Map.of("name", "check", "inputSchema", schema()), (request) -> McpTestReply.text("checked"))
		.tool(Map.of("name", "misfit", "inputSchema", Map.of("type", "object"), "outputSchema", schema()),
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent", Map.of("text", 1))))
		.tool("hang", McpTestReply.never())
		.tool("refuse", McpTestReply.error(-32603, "It is broken"))
		.tool("open",
				McpTestReply.error(-32042, "Open a page first",
						Map.of("elicitations",
								List.of(Map.of("mode", "url", "elicitationId", "1", "url", "https://example.com/",
										"message", "Sign in")))))
		.tool("break", McpTestReply.cut())
		.tool("deny", McpTestReply.status(401))
		.tool("flood", McpTestReply.flood(1_000_000))
		.tool("fail", McpTestReply.toolError("It failed"))
		.start();

	private static final Map<String, CountDownLatch> ASKED = new ConcurrentHashMap<>();

	private static final Map<String, Sinks.Empty<Map<String, String>>> HEADERS = new ConcurrentHashMap<>();

	private static StandaloneMcpClient client;

	@BeforeAll
	static void connect() {
		client = StandaloneMcpClient.builder()
			.startupWait(LIMIT)
			.add("headers", (McpHeadersProvider) McpExceptionTests::headers)
			.add("interceptor", (McpToolInterceptor) McpExceptionTests::intercept)
			.server(definition("a").maxResultSize(DataSize.ofKilobytes(100)).build())
			.server(definition("strict").validateArguments(true).build())
			.server(definition("busy").maxConcurrentCalls(1).build())
			.server(definition("off").enabled(false).build())
			.server(McpServerDefinition.http("nobody", NOBODY).build())
			.build();
	}

	private static Mono<Map<String, String>> headers(McpHeadersRequest request) {
		Sinks.Empty<Map<String, String>> headers = HEADERS.get(request.server().name());
		return (headers == null || !request.forCaller()) ? Mono.empty()
				: headers.asMono().doOnSubscribe((subscription) -> asked(request.server().name()).countDown());
	}

	private static McpToolResult intercept(McpTool tool, McpToolRequest request, McpToolInterceptor.Chain chain) {
		if (tool.originalName().equals("interceptor")) {
			throw new McpToolException(McpToolResult.error(tool.name(), "Of another tool"));
		}
		return chain.proceed(request);
	}

	static Stream<Case> cases() {
		return Stream.of(
				// not attempted
				of("the server is disabled", McpServerUnavailableException.class, "off", true,
						() -> failure(() -> client.registry().server("off").getPrompt("greeting", Map.of()))),
				of("the server cannot be reached", McpServerUnavailableException.class, "nobody", true,
						() -> failure(() -> client.registry().server("nobody").getPrompt("greeting", Map.of()))),
				of("the server does not declare it", McpUnsupportedException.class, "a", true,
						() -> failure(() -> client.registry().server("a").getPrompt("greeting", Map.of()))),
				of("no server has the tool", NoSuchMcpToolException.class, null, true,
						() -> failure(() -> client.tools().get("none"))),
				of("the server had the tool", NoSuchMcpToolException.class, "past", true, McpExceptionTests::past),
				of("the server may have the tool", McpServerUnavailableException.class, "nobody", true,
						() -> failure(() -> client.tools().get("nobody_tool"))),
				of("there is no server", NoSuchMcpServerException.class, "none", true,
						() -> failure(() -> client.registry().server("none"))),
				of("the arguments do not fit", McpSchemaViolationException.class, "strict", true,
						() -> failure(() -> call("strict_check", Map.of("text", 1)))),
				// not sent
				of("headers do not come in time", McpRequestTimeoutException.class, "late", true,
						() -> held("late", McpExceptionTests::failure, Duration.ofMillis(50))),
				of("it is nobody's turn in time", McpRequestTimeoutException.class, "busy", true,
						McpExceptionTests::busy),
				of("removed before it is sent", McpServerUnavailableException.class, "early", true,
						() -> held("early", McpExceptionTests::removed, LIMIT)),
				of("interrupted before it is sent", McpInterruptedException.class, "waiting", true,
						() -> held("waiting", McpExceptionTests::interrupted, LIMIT)),
				// sent
				of("no answer in time", McpRequestTimeoutException.class, "a", false, McpExceptionTests::unanswered),
				of("removed while it is pending", McpServerUnavailableException.class, "gone", false,
						() -> pending("gone", () -> client.manager().remove("gone"))),
				of("disabled while it is pending", McpServerUnavailableException.class, "switched", false,
						() -> pending("switched", () -> client.manager().disable("switched"))),
				of("replaced while it is pending", McpServerUnavailableException.class, "other", false,
						() -> pending("other",
								() -> client.manager().replace(definition("other").cookies(true).build()))),
				of("interrupted while it is pending", McpInterruptedException.class, "a", false,
						() -> interrupted(() -> call("a_hang", Map.of()), () -> SERVER.awaitPending("tools/call", 1))),
				of("the connection breaks", McpConnectionException.class, "a", false,
						() -> failure(() -> call("a_break", Map.of()))),
				of("the server refuses to look at it", McpConnectionException.class, "a", true,
						() -> failure(() -> call("a_deny", Map.of()))),
				// answered
				of("an error of the protocol", McpProtocolException.class, "a", true,
						() -> failure(() -> call("a_refuse", Map.of()))),
				of("the user has to open a page", McpUrlElicitationRequiredException.class, "a", true,
						() -> failure(() -> call("a_open", Map.of()))),
				of("the result is too large", McpResultTooLargeException.class, "a", true,
						() -> failure(() -> call("a_flood", Map.of()))),
				of("the result does not fit", McpSchemaViolationException.class, "a", true,
						() -> failure(() -> call("a_misfit", Map.of()))),
				of("the tool fails", McpToolException.class, null, true,
						() -> failure(() -> call("a_fail", Map.of()).orThrow())),
				of("the result is of another type", McpResultConversionException.class, null, true,
						() -> failure(() -> call("strict_check", Map.of()).structuredContent(Integer.class))),
				of("an interceptor throws it", McpToolException.class, null, true,
						() -> failure(() -> call("a_interceptor", Map.of()))),
				// the start fails
				of("one server is required", RequiredMcpServerException.class, "off", true, () -> required("off")),
				of("two servers are required", RequiredMcpServerException.class, null, true,
						() -> required("off", "nobody")));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void saysWhatBecameOfTheRequest(Case example) throws IOException, ClassNotFoundException {
		Throwable failure = example.failure().get();
		assertThat(failure).isExactlyInstanceOf(example.type()).isInstanceOfSatisfying(McpException.class, (ex) -> {
			assertThat(ex.isOutcomeKnown()).as("%s", ex).isEqualTo(example.known());
			assertThat(ex.getServerName()).isEqualTo(example.server());
		});
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		new ObjectOutputStream(bytes).writeObject(failure);
		McpException copy = (McpException) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
			.readObject();
		assertThat(copy).hasMessage(failure.getMessage());
		assertThat(copy.isOutcomeKnown()).isEqualTo(example.known());
		assertThat(copy.getServerName()).isEqualTo(example.server());
	}

	@Test
	void whatIsGivenCanBeRead() {
		McpRequestTimeoutException late = new McpRequestTimeoutException("a", "tools/call echo", Duration.ofSeconds(1),
				false, true, "it");
		assertThat(late.getRequest()).isEqualTo("tools/call echo");
		assertThat(late.isCancelled()).isFalse();
		assertThat(late.isOutcomeKnown()).isTrue();
		assertThat(late.getSettingToRaise()).isEqualTo("it");
		assertThat(new McpRequestTimeoutException("a", "ping", Duration.ofSeconds(1)))
			.returns(true, McpRequestTimeoutException::isCancelled)
			.returns(false, McpException::isOutcomeKnown);
	}

	// a busy machine may need longer to send it
	private static Throwable unanswered() {
		for (long timeout = 100;; timeout *= 2) {
			McpToolRequest request = McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(timeout));
			int received = SERVER.calls("hang").size();
			Throwable failure = failure(() -> client.tools().get("a_hang").call(request));
			if (SERVER.calls("hang").size() > received) {
				return failure;
			}
		}
	}

	private static Throwable past() {
		client.manager().add(definition("past").build());
		McpTool tool = client.tools().get("past_hang");
		client.manager().remove("past");
		return failure(() -> tool.call(Map.of()));
	}

	private static Throwable busy() {
		CompletableFuture<McpToolResult> first = client.tools()
			.get("busy_hang")
			.callAsync(McpToolRequest.of(Map.of()))
			.toFuture();
		try {
			SERVER.awaitPending("tools/call", 1);
			return failure(() -> client.tools()
				.get("busy_hang")
				.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(50))));
		}
		finally {
			first.cancel(true);
			awaitNone();
		}
	}

	private static Throwable held(String server, Function<Held, Throwable> event, Duration timeout) {
		Sinks.Empty<Map<String, String>> headers = Sinks.empty();
		client.manager().add(definition(server).build());
		HEADERS.put(server, headers);
		try {
			Throwable failure = event.apply(new Held(server, timeout));
			assertThat(SERVER.pending("tools/call")).isEmpty();
			return failure;
		}
		finally {
			HEADERS.remove(server);
			if (client.registry().find(server).isPresent()) {
				client.manager().remove(server);
			}
		}
	}

	private static Throwable removed(Held call) {
		CompletableFuture<McpToolResult> result = client.tools()
			.get(call.server() + "_hang")
			.callAsync(McpToolRequest.of(Map.of()))
			.toFuture();
		awaitAsked(call.server());
		client.manager().remove(call.server());
		HEADERS.get(call.server()).tryEmitEmpty();
		return catchThrowable(result::join).getCause();
	}

	private static Throwable interrupted(Held call) {
		return interrupted(call, () -> awaitAsked(call.server()));
	}

	private static Throwable interrupted(Runnable call, Runnable begun) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread caller = new Thread(() -> failure.complete(failure(call)));
		caller.start();
		begun.run();
		caller.interrupt();
		Throwable found = failure.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
		awaitNone();
		return found;
	}

	private static Throwable pending(String server, Runnable event) {
		client.manager().add(definition(server).build());
		CompletableFuture<McpToolResult> result = client.tools()
			.get(server + "_hang")
			.callAsync(McpToolRequest.of(Map.of()))
			.toFuture();
		SERVER.awaitPending("tools/call", 1);
		event.run();
		Throwable failure = catchThrowable(result::join).getCause();
		if (client.registry().find(server).isPresent()) {
			client.manager().remove(server);
		}
		awaitNone();
		return failure;
	}

	private static void awaitNone() {
		await().until(() -> SERVER.pending("tools/call").isEmpty());
	}

	private static Throwable required(String... servers) {
		return new RequiredMcpServerException(
				Stream.of(servers).map((server) -> client.registry().server(server).status()).toList());
	}

	private static McpToolResult call(String tool, Map<String, Object> arguments) {
		return client.tools().get(tool).call(arguments);
	}

	private static Throwable failure(Runnable call) {
		Throwable failure = catchThrowable(call::run);
		assertThat(failure).isNotNull();
		return failure;
	}

	private static CountDownLatch asked(String server) {
		return ASKED.computeIfAbsent(server, (absent) -> new CountDownLatch(1));
	}

	private static void awaitAsked(String server) {
		await().until(() -> asked(server).getCount() == 0);
	}

	private static McpServerDefinitionBuilder definition(String name) {
		return McpServerDefinition.http(name, URI.create(SERVER.url()));
	}

	private static Map<String, Object> schema() {
		return Map.of("type", "object", "properties", Map.of("text", Map.of("type", "string")));
	}

	private static Case of(String name, Class<? extends McpException> type, @Nullable String server, boolean known,
			Supplier<Throwable> failure) {
		return new Case(name, type, server, known, failure);
	}

	/**
	 * A failure, made as it happens.
	 */
	record Case(String name, Class<? extends McpException> type, @Nullable String server, boolean known,
			Supplier<Throwable> failure) {

		@Override
		public String toString() {
			return this.name + ": " + this.type.getSimpleName();
		}

	}

	/**
	 * A call whose headers do not come.
	 */
	private record Held(String server, Duration timeout) implements Runnable {

		@Override
		public void run() {
			client.tools().get(this.server + "_hang").call(McpToolRequest.of(Map.of()).withTimeout(this.timeout));
		}

	}

}
