package io.github.mcpclient.declared;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.spi.McpToolClientMismatches;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ComparedClients}, in an application whose server changes its tools.
 */
class ComparedClientsTests {

	private static final Map<String, Object> FITTING = schema(Map.of("city", Map.of("type", "string")), "city");

	private static final McpTestServer server = McpTestServer.create().start();

	private static final BlockingQueue<McpToolClientMismatchEvent> events = new LinkedBlockingQueue<>();

	private static final CapturedLog log = new CapturedLog(ComparedClients.class);

	private static ClientApplication application;

	@BeforeAll
	static void start() {
		fit();
		application = ClientApplication.start(Beans.class, "mcp.servers.weather.url=" + server.url(),
				"mcp.servers.weather.headers.x-key=swordfish-7", "mcp.servers.weather.tools.filter=!secret*");
		log.open();
	}

	@AfterAll
	static void stop() {
		log.close();
		application.close();
		server.close();
	}

	@BeforeEach
	void open() {
		log.open();
	}

	@AfterEach
	void mend() {
		fit();
		refresh();
		await().atMost(LIMIT).until(() -> mismatches().isEmpty());
		events.clear();
	}

	private static Map<String, Object> schema(Map<String, ?> properties, String... required) {
		return Map.of("type", "object", "properties", properties, "required", List.of(required));
	}

	private static void fit() {
		list(tool("forecast", FITTING), tool("alerts", FITTING));
	}

	private static Map<String, Object> tool(String name, Map<String, Object> schema) {
		return Map.of("name", name, "inputSchema", schema);
	}

	private static void list(Object... tools) {
		server.tools(List.of(tools));
	}

	private static void refresh() {
		application.manager().server("weather").refresh();
	}

	private static List<McpToolClientMismatchEvent> mismatches() {
		return mismatches(Weather.class);
	}

	private static List<McpToolClientMismatchEvent> mismatches(Class<?> client) {
		return application.context()
			.getBean(McpToolClientMismatches.class)
			.mismatches()
			.stream()
			.filter((event) -> event.client().equals(client.getName()))
			.toList();
	}

	private static McpToolClientMismatchEvent next() throws InterruptedException {
		return next(Weather.class);
	}

	private static McpToolClientMismatchEvent next(Class<?> client) throws InterruptedException {
		McpToolClientMismatchEvent event;
		do {
			event = events.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
			assertThat(event).isNotNull();
		}
		while (!event.client().equals(client.getName()));
		return event;
	}

	private static List<Mismatch> found(Map<String, Object> forecast) throws InterruptedException {
		list(forecast, tool("alerts", FITTING));
		refresh();
		McpToolClientMismatchEvent event = next();
		assertThat(event.serverName()).isEqualTo("weather");
		assertThat(event.client()).isEqualTo(Weather.class.getName());
		assertThat(mismatches()).containsExactly(event);
		return event.mismatches();
	}

	@Test
	void aMissingToolIsToldOnceAndWhenItIsBack() throws InterruptedException {
		assertThat(found(tool("forcast", FITTING))).containsExactly(
				new Mismatch(Kind.NO_TOOL, "forecast", "the server has no tool 'forecast'. Did you mean forcast?"));
		// another change that matters nothing
		list(tool("forcast", FITTING), tool("alerts", FITTING), tool("other", FITTING));
		refresh();
		fit();
		refresh();
		assertThat(next().mismatches()).isEmpty();
		assertThat(mismatches()).isEmpty();
		assertThat(log.lines(Level.WARN)).singleElement()
			.asString()
			.contains("Declared MCP client " + Weather.class.getName() + " does not match MCP server 'weather'",
					"    forecast: the server has no tool 'forecast'. Did you mean forcast?");
		assertThat(log.lines(Level.INFO)).singleElement()
			.asString()
			.contains(Weather.class.getName() + " matches MCP server 'weather' again");
	}

	@Test
	void aToolThatIsExcludedHasItsReason() throws InterruptedException {
		list(tool("forecast", FITTING), tool("alerts", FITTING), tool("secret_forecast", FITTING));
		refresh();
		application.context().getBean(McpToolClientFactory.class).create(Secret.class);
		assertThat(next(Secret.class).mismatches().get(0).detail()).startsWith("tool 'secret_forecast' is excluded: ")
			.contains("filter");
	}

	@Test
	void anArgumentThatIsNotGiven() throws InterruptedException {
		assertThat(found(tool("forecast", schema(Map.of(), "city", "unit")))).containsExactly(new Mismatch(
				Kind.MISSING_ARGUMENT, "forecast", "the tool requires argument 'unit', which the method lacks"));
	}

	@Test
	void anArgumentOfAnotherType() throws InterruptedException {
		assertThat(found(
				tool("forecast", schema(Map.of("city", Map.of("type", "integer"), "days", Map.of("type", "string"))))))
			.extracting(Mismatch::kind)
			.containsExactly(Kind.ARGUMENT_TYPE, Kind.ARGUMENT_TYPE);
	}

	@Test
	void aResultOfAnotherType() throws InterruptedException {
		assertThat(found(Map.of("name", "forecast", "inputSchema", FITTING, "outputSchema", Map.of("type", "array"))))
			.containsExactly(new Mismatch(Kind.RESULT_TYPE, "forecast",
					"the return type is read from object, but the tool returns array"));
	}

	@Test
	void aMemberOfARecordThatTheToolDoesNotTake() throws InterruptedException {
		list(tool("forecast", FITTING), tool("alerts",
				Map.of("type", "object", "properties", Map.of("region", Map.of()), "additionalProperties", false)));
		refresh();
		assertThat(next().mismatches())
			.containsExactly(new Mismatch(Kind.UNKNOWN_ARGUMENT, "alerts", "the tool takes no argument 'city'"));
	}

	@Test
	void secretsThatAServerNamesAreMasked() throws InterruptedException {
		assertThat(found(tool("forecast", schema(Map.of(), "swordfish-7"))).toString()).contains("'******'")
			.doesNotContain("swordfish");
		assertThat(log.lines().toString()).doesNotContain("swordfish");
	}

	@Test
	void whatIsFoundStaysWhileTheServerIsGone() throws InterruptedException {
		found(tool("forcast", FITTING));
		server.on("POST", McpTestReply.status(503));
		application.manager().server("weather").reconnect();
		assertThat(application.state("weather")).isNotEqualTo(McpServerState.READY);
		assertThat(mismatches()).hasSize(1);
		server.reset();
		list(tool("forcast", FITTING), tool("alerts", FITTING));
		application.manager().server("weather").reconnect();
		assertThat(mismatches()).hasSize(1);
	}

	@Test
	void aServerThatIsNotConfiguredIsToldUntilItIsAdded() throws InterruptedException {
		assertThat(mismatches(OfNoServer.class)).extracting(McpToolClientMismatchEvent::mismatches)
			.containsExactly(
					List.of(new Mismatch(Kind.NO_SERVER, null, "No MCP server 'wether'. Did you mean weather?")));
		application.manager().add(McpServerDefinition.http("wether", URI.create(server.url())).build());
		assertThat(next(OfNoServer.class)).returns(List.of(), McpToolClientMismatchEvent::mismatches)
			.returns("wether", McpToolClientMismatchEvent::serverName);
		application.manager().remove("wether");
		assertThat(next(OfNoServer.class).mismatches()).extracting(Mismatch::kind).containsExactly(Kind.NO_SERVER);
	}

	@Test
	void aListenerThatFailsCostsNoComparison() throws InterruptedException {
		Beans.failing = true;
		try {
			assertThat(found(tool("forcast", FITTING))).hasSize(1);
		}
		finally {
			Beans.failing = false;
		}
	}

	@Configuration
	@ImportMcpToolClients({ Weather.class, OfNoServer.class })
	static class Beans {

		private static volatile boolean failing;

		@EventListener
		void changed(McpToolsChangedEvent event) {
			if (failing) {
				throw new IllegalStateException("a listener of the application");
			}
		}

		@EventListener
		void mismatch(McpToolClientMismatchEvent event) {
			events.add(event);
		}

	}

	@McpToolClient("weather")
	interface Weather {

		Forecast forecast(String city, Integer days);

		String alerts(Request request);

	}

	@McpToolClient("weather")
	interface Secret {

		@McpToolCall("secret_forecast")
		Forecast forecast(String city);

	}

	@McpToolClient("wether")
	interface OfNoServer {

		Forecast forecast(String city);

	}

	record Forecast(String text) {
	}

	record Request(String city, String region) {
	}

}
