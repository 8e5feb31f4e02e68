package io.github.mcpclient.declared;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultConversionException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link McpToolClientFactory}.
 */
class McpToolClientFactoryTests {

	private static final McpTestServer SERVER = McpTestServer.create()
		.tool("forecast", (request) -> json("{\"city\": \"" + request.argument("city") + "\", \"degrees\": [20, 21]}"))
		.tool("alerts", json("[{\"text\": \"rain\"}]"))
		.tool("large", json("{\"text\": \"" + "x".repeat(100_000) + "\"}"))
		.tool("say", McpTestReply.text("sunny"))
		.tool("nothing", McpTestReply.result(Map.of("content", List.of())))
		.tool("null",
				McpTestReply.result(
						Map.of("content", List.of(), "structuredContent", Collections.singletonMap("result", null))))
		.tool("wrapped", McpTestReply.result(Map.of("content", List.of(), "structuredContent", Map.of("result", 5))))
		.tool("fail", McpTestReply.toolError("no such city"))
		.tool("hang", McpTestReply.never())
		.tool("past-days", McpTestReply.text("past"))
		.tool("two_names", McpTestReply.text("two"))
		.tool("twoNames", McpTestReply.text("exact"))
		.tool("ambi_guous", McpTestReply.text("1"))
		.tool("ambi-guous", McpTestReply.text("2"))
		.tool("slow", McpToolClientFactoryTests::slow)
		.start();

	private static final List<Object> SEEN = new CopyOnWriteArrayList<>();

	private static StandaloneMcpClient client;

	private static McpToolClientFactory factory;

	private static Weather weather;

	@BeforeAll
	static void connect() {
		McpToolInterceptor interceptor = (tool, request, chain) -> {
			SEEN.add(tool.originalName());
			SEEN.add(chain.context().getOrDefault("user", "nobody"));
			return chain.proceed(request);
		};
		client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("weather", URI.create(SERVER.url())).build())
			.server(McpServerDefinition.http("down", URI.create("http://localhost:9/mcp")).build())
			.server(McpServerDefinition.http("shop", URI.create(SERVER.url())).toolPrefix("s").build())
			.add(interceptor)
			.build();
		factory = new McpToolClientFactory(client.registry());
		weather = factory.create(Weather.class);
	}

	@AfterAll
	static void close() {
		client.close();
		SERVER.close();
	}

	@BeforeEach
	void forget() {
		SERVER.forgetRequests();
		SEEN.clear();
	}

	private static McpTestReply slow(McpTestRequest request) {
		Object token = request.meta().get("progressToken");
		McpTestReply done = McpTestReply.text("done");
		return (token != null) ? done.precededBy(
				McpTestReply.notification("notifications/progress", Map.of("progressToken", token, "progress", 1)))
				: done;
	}

	private static McpTestReply json(String json) {
		return McpTestReply.text(json);
	}

	@Test
	void argumentsHaveTheirNames() {
		assertThat(weather.forecast("Paris", null)).isEqualTo(new Forecast("Paris", List.of(20, 21)));
		assertThat(SERVER.awaitCall("forecast").arguments()).containsExactly(entry("city", "Paris"));
		SERVER.forgetRequests();
		weather.forecast("Paris", 2);
		assertThat(SERVER.awaitCall("forecast").arguments()).containsOnly(entry("city", "Paris"), entry("days", 2));
	}

	@Test
	void aMissingArgumentHasItsDefault() {
		weather.withDefaults(null, Optional.empty());
		assertThat(SERVER.awaitCall("say").arguments()).containsExactly(entry("number-of-days", 3));
		SERVER.forgetRequests();
		weather.withDefaults(4, Optional.of("x"));
		assertThat(SERVER.awaitCall("say").arguments()).containsOnly(entry("number-of-days", 4), entry("note", "x"));
	}

	@Test
	void oneParameterIsAllArguments() {
		weather.ofRecord(new Request("Rome", null));
		assertThat(SERVER.awaitCall("say").arguments()).containsExactly(entry("city", "Rome"));
		SERVER.forgetRequests();
		weather.ofMap(Map.of("city", "Oslo"));
		assertThat(SERVER.awaitCall("say").arguments()).containsExactly(entry("city", "Oslo"));
		SERVER.forgetRequests();
		weather.ofRequest(McpToolRequest.of(Map.of("city", "Bern")).withMeta(Map.of("trace", "1")));
		assertThat(SERVER.awaitCall("say").arguments()).containsExactly(entry("city", "Bern"));
		assertThat(SERVER.awaitCall("say").meta()).containsEntry("trace", "1");
	}

	@Test
	void valuesAreWrittenAsJson() {
		weather.values(Unit.KELVIN, List.of(new Request("Rome", 1)));
		assertThat(SERVER.awaitCall("say").arguments()).containsOnly(entry("unit", "KELVIN"),
				entry("requests", List.of(Map.of("city", "Rome", "days", 1))));
	}

	@Test
	void resultsAreReadAsTheMethodSays() {
		assertThat(weather.say()).isEqualTo("sunny");
		assertThat(weather.items()).singleElement().isInstanceOf(TextContent.class);
		assertThat(weather.whole().text()).isEqualTo("sunny");
		weather.noResult();
		assertThat(weather.alerts()).containsExactly(new Alert("rain"));
	}

	@Test
	void resultsMayBeLater() throws Exception {
		Mono<Forecast> later = weather.later("Paris");
		assertThat(SERVER.calls("forecast")).as("before it is subscribed to").isEmpty();
		assertThat(later.block(LIMIT).city()).isEqualTo("Paris");
		assertThat(later.block(LIMIT).city()).isEqualTo("Paris");
		assertThat(SERVER.calls("forecast")).hasSize(2);
		CompletableFuture<String> future = weather.future();
		SERVER.awaitCall("say");
		assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo("sunny");
		assertThat(weather.done().blockOptional(LIMIT)).isEmpty();
	}

	@Test
	void aResultMayBeEmpty() {
		assertThat(weather.maybe()).isEmpty();
		assertThat(weather.maybeNull()).isNull();
		assertThat(weather.maybeLater().blockOptional(LIMIT)).isEmpty();
		assertThat(weather.maybeForecast()).isEmpty();
		assertThat(weather.wrappedNull()).isEmpty();
		assertThat(weather.wrapped()).isEqualTo(5);
		assertThatExceptionOfType(McpResultConversionException.class).isThrownBy(() -> weather.notEmpty())
			.withMessageContaining("has no structured content");
	}

	@Test
	void theErrorOfAToolIsAnException() {
		assertThatExceptionOfType(McpToolException.class).isThrownBy(() -> weather.fail())
			.withMessageContaining("no such city");
		assertThatExceptionOfType(McpToolException.class).isThrownBy(() -> weather.failLater().block(LIMIT));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> weather.failInFuture().get())
			.withCauseInstanceOf(McpToolException.class);
		assertThat(weather.failed().isError()).as("a result is returned as it is").isTrue();
	}

	@Test
	void aCallHasItsTimeoutAndItsListener() {
		assertThatExceptionOfType(McpRequestTimeoutException.class)
			.isThrownBy(() -> weather.hang(Duration.ofMillis(200)));
		List<ProgressNotification> progress = new CopyOnWriteArrayList<>();
		assertThat(weather.slow(progress::add, null)).isEqualTo("done");
		assertThat(progress).singleElement().satisfies((one) -> assertThat(one.progress()).isEqualTo(1));
		assertThat(weather.slow(null, LIMIT)).isEqualTo("done");
	}

	@Test
	void aCallIsOneLikeAnyOther() {
		weather.inContext(Context.of("user", "ada"));
		assertThat(SEEN).containsExactly("say", "ada");
		SEEN.clear();
		weather.later("Paris").contextWrite(Context.of("user", "bob")).block(LIMIT);
		assertThat(SEEN).containsExactly("forecast", "bob");
	}

	@Test
	void theToolIsFoundInTheSpellingOfTheServer() {
		assertThat(weather.pastDays()).isEqualTo("past");
		assertThat(weather.pastDaysLater().block(LIMIT)).isEqualTo("past");
		assertThat(weather.twoNames()).isEqualTo("exact");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> weather.ambiGuous())
			.withMessageContaining("has several tools with similar names: ambi-guous, ambi_guous")
			.withMessageContaining("@McpToolCall");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> weather.forecasts())
			.withMessageContaining("weather_forecasts")
			.withMessageContaining("Did you mean weather_forecast?");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> weather.exactly())
			.withMessageContaining("weather_pastDays");
	}

	@Test
	void aSpellingIsKeptAsLongAsTheServerListsIt() {
		McpTestServer server = McpTestServer.create().tools("get_it").start();
		client.manager().add(McpServerDefinition.http("spelled", URI.create(server.url())).build());
		Spelled spelled = factory.create(Spelled.class);
		assertThat(spelled.getIt("a")).isEqualTo("get_it a");
		server.tools("get_it", "get-it");
		client.manager().server("spelled").refresh();
		assertThat(spelled.getIt("b")).as("without going through all tools").isEqualTo("get_it b");
		server.tools("get-it");
		client.manager().server("spelled").refresh();
		assertThat(spelled.getIt("c")).isEqualTo("get-it c");
		assertThat(spelled.getItLater("d").block(LIMIT)).isEqualTo("get-it d");
		client.manager().remove("spelled");
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> spelled.getIt("e"));
		assertThatExceptionOfType(NoSuchMcpServerException.class)
			.isThrownBy(() -> spelled.getItLater("f").block(LIMIT));
		client.manager().add(McpServerDefinition.http("spelled", URI.create(server.url())).build());
		assertThat(spelled.getIt("g")).isEqualTo("get-it g");
		client.manager().remove("spelled");
		server.close();
	}

	@Test
	void toolsMayHaveAnotherPrefix() {
		assertThat(factory.create(Shop.class).say()).isEqualTo("sunny");
	}

	@Test
	void aServerNeedNotBeThere() {
		Down down = factory.create(Down.class);
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> down.anything())
			.withMessageContaining("MCP server 'down'");
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> down.anythingLater().block(LIMIT));
		Unknown unknown = factory.create(Unknown.class);
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> unknown.anything())
			.withMessageContaining("No MCP server 'wether'. Did you mean weather?");
		Mono<String> later = unknown.anythingLater();
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> later.block(LIMIT));
	}

	@Test
	void aThreadThatMustNotBlockIsNotBlocked() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> Mono.fromCallable(() -> weather.say()).subscribeOn(Schedulers.parallel()).block(LIMIT));
		assertThat(Mono.defer(() -> weather.later("Paris")).subscribeOn(Schedulers.parallel()).block(LIMIT).city())
			.isEqualTo("Paris");
	}

	@Test
	void aLargeResultIsNotReadOnAnEventLoop() {
		assertThat(weather.large().block(LIMIT).thread()).startsWith("mcp-").doesNotStartWith("mcp-http");
	}

	@Test
	void methodsOfTheInterfaceAndOfObjectWork() {
		assertThat(weather.shout()).isEqualTo("SUNNY");
		assertThat(weather).hasToString("Weather[tools of MCP server 'weather']")
			.isEqualTo(weather)
			.isNotEqualTo(factory.create(Weather.class))
			.hasSameHashCodeAs(weather);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> weather.failHere());
	}

	@Test
	void aMistakeIsToldWhenTheProxyIsCreated() {
		assertThatIllegalArgumentException().isThrownBy(() -> factory.create(Runnable.class))
			.withMessage(
					"java.lang.Runnable is not a declared MCP client: it must be an interface with @McpToolClient");
		assertThat(factory.clients()).extracting(DeclaredClient::type).contains(Weather.class);
	}

	enum Unit {

		KELVIN

	}

	record Forecast(String city, List<Integer> degrees) {
	}

	record Request(String city, @Nullable Integer days) {
	}

	record Alert(String text) {
	}

	record Large(String text, @Nullable String thread) {

		Large {
			thread = Thread.currentThread().getName();
		}

	}

	@McpToolClient("weather")
	interface Weather {

		Mono<Large> large();

		Forecast forecast(String city, @Nullable Integer days);

		@McpToolCall("say")
		void withDefaults(@McpToolArgument(value = "number-of-days", defaultValue = "3") @Nullable Integer days,
				Optional<String> note);

		@McpToolCall("say")
		void ofRecord(Request request);

		@McpToolCall("say")
		void ofMap(Map<String, Object> arguments);

		@McpToolCall("say")
		void ofRequest(McpToolRequest request);

		@McpToolCall("say")
		void values(Unit unit, List<Request> requests);

		String say();

		@McpToolCall("say")
		List<Content> items();

		@McpToolCall("say")
		McpToolResult whole();

		@McpToolCall("say")
		void noResult();

		List<Alert> alerts();

		@McpToolCall("forecast")
		Mono<Forecast> later(String city);

		@McpToolCall("say")
		CompletableFuture<String> future();

		@McpToolCall("say")
		Mono<Void> done();

		@McpToolCall("nothing")
		Optional<String> maybe();

		@McpToolCall("nothing")
		@Nullable String maybeNull();

		@McpToolCall("nothing")
		Mono<String> maybeLater();

		@McpToolCall("nothing")
		Optional<Forecast> maybeForecast();

		@McpToolCall("nothing")
		Forecast notEmpty();

		@McpToolCall("null")
		Optional<Forecast> wrappedNull();

		int wrapped();

		void fail();

		@McpToolCall("fail")
		Mono<String> failLater();

		@McpToolCall("fail")
		CompletableFuture<Void> failInFuture();

		@McpToolCall("fail")
		McpToolResult failed();

		void hang(Duration timeout);

		String slow(@Nullable Consumer<ProgressNotification> progress, @Nullable Duration timeout);

		@McpToolCall("say")
		void inContext(ContextView context);

		String pastDays();

		@McpToolCall("past-days")
		Mono<String> pastDaysLater();

		String twoNames();

		String ambiGuous();

		String forecasts();

		@McpToolCall("pastDays")
		String exactly();

		default String shout() {
			return say().toUpperCase();
		}

		default void failHere() {
			throw new UnsupportedOperationException("here");
		}

	}

	@McpToolClient("spelled")
	interface Spelled {

		String getIt(String message);

		default Mono<String> getItLater(String message) {
			return getIt(message, Context.empty());
		}

		@McpToolCall("get-it")
		Mono<String> getIt(String message, ContextView context);

	}

	@McpToolClient("shop")
	interface Shop {

		String say();

	}

	@McpToolClient("down")
	interface Down {

		String anything();

		@McpToolCall("anything")
		Mono<String> anythingLater();

	}

	@McpToolClient("wether")
	interface Unknown {

		String anything();

		@McpToolCall("anything")
		Mono<String> anythingLater();

	}

}
