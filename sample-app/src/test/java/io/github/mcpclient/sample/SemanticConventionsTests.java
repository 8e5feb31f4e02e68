package io.github.mcpclient.sample;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That a run of the sample emits what OpenTelemetry's conventions have, and nothing else
 * but the name of the server.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "mcp.servers.everything.enabled=false", "mcp.servers.down.enabled=false" })
@Timeout(180)
class SemanticConventionsTests {

	private static final Set<String> OWN = Set.of("mcp.server");

	private static final List<String> BUCKETS = List.of("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1.0", "2.0",
			"5.0", "10.0", "30.0", "60.0", "120.0", "300.0", "+Inf");

	private static final TraceReceiver traces = TraceReceiver.start();

	private static final McpTestServer scripted = McpTestServer.create()
		.tool("fail", McpTestReply.error(-32602, "no"))
		.tool("ask", (request) -> {
			for (String message : List.of("accept", "fail", "refuse")) {
				request.request("elicitation/create",
						Map.of("message", message, "requestedSchema", Map.of("type", "object", "properties", Map.of()),
								"_meta", Objects.requireNonNull(request.params().get("_meta"))))
					.handle((result, failure) -> "")
					.join();
			}
			return McpTestReply.text("asked");
		})
		.prompt("greeting", "hello")
		.resource("test://r", "text")
		.start();

	@LocalServerPort
	private int port;

	@Autowired
	private McpServerManager manager;

	@Autowired
	private McpToolExecutor tools;

	@Autowired
	private ObservationRegistry observations;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry properties) {
		int demoPort = TestSocketUtils.findAvailableTcpPort();
		properties.add("sample.demo-server.port", () -> demoPort);
		properties.add("mcp.servers.scripted.url", scripted::url);
		properties.add("management.opentelemetry.tracing.export.otlp.endpoint", traces::url);
		properties.add("management.opentelemetry.tracing.export.schedule-delay", () -> "100ms");
	}

	@AfterAll
	static void stop() {
		traces.close();
		scripted.close();
	}

	@Test
	void whatIsEmittedIsThatOfTheConventions() throws Exception {
		for (String server : List.of("scripted", "demo", "socket")) {
			await().atMost(Duration.ofSeconds(60)).until(() -> state(server), McpServerState.READY::equals);
		}
		ManagedMcpServer server = this.manager.server("scripted");
		server.getPrompt("greeting", Map.of("who", "Ada"));
		server.readResource("test://r");
		this.tools.execute("scripted_fail", Map.of());
		this.tools.execute("demo_time_now", Map.of("zone", "Mars/Olympus"));
		this.tools.execute("socket_dice_roll", Map.of());
		this.tools.execute("scripted_ask", Map.of());
		server.reconnect();
		Span ask = traces.await((span) -> span.getName().equals("tools/call ask"));
		await().atMost(Duration.ofSeconds(30)).until(() -> spans(Span.SpanKind.SPAN_KIND_SERVER).size() == 3);
		Map<String, Map<String, String>> table = table();
		for (Span span : spans(Span.SpanKind.SPAN_KIND_CLIENT)) {
			check(span, table.get("span mcp.client"));
		}
		for (Span span : spans(Span.SpanKind.SPAN_KIND_SERVER)) {
			check(span, table.get("span mcp.server"));
			assertThat(span.getParentSpanId()).as("the one that the server has sent").isEqualTo(ask.getSpanId());
		}
		assertThat(spans(Span.SpanKind.SPAN_KIND_SERVER)).extracting(SemanticConventionsTests::isFailure)
			.containsExactlyInAnyOrder(false, true, false);
		String scrape = scrape();
		table.forEach((signal, attributes) -> {
			if (!signal.startsWith("span ")) {
				check(signal, scrape, attributes);
			}
		});
	}

	@Test
	void spanOfAnAgentIsNotRepeated() {
		await().atMost(Duration.ofSeconds(60)).until(() -> state("demo"), McpServerState.READY::equals);
		Observation agent = Observation.createNotStarted("agent", this.observations)
			.lowCardinalityKeyValue("gen_ai.operation.name", "execute_tool")
			.lowCardinalityKeyValue("gen_ai.tool.name", "demo_dice_roll");
		agent.observe(() -> {
			this.tools.execute("demo_dice_roll", Map.of());
			this.tools.execute("demo_time_now", Map.of());
		});
		Span execution = traces.await((span) -> span.getName().equals("agent"));
		assertThat(TraceReceiver.attributes(execution)).containsEntry("mcp.method.name", "tools/call")
			.containsEntry("mcp.server", "demo")
			.containsKey("jsonrpc.request.id");
		assertThat(traces.spans()).filteredOn((span) -> span.getParentSpanId().equals(execution.getSpanId()))
			.as("of the server, and of another tool")
			.extracting((span) -> span.getName() + " " + span.getKind())
			.containsExactlyInAnyOrder("tools/call dice_roll SPAN_KIND_SERVER", "tools/call time_now SPAN_KIND_CLIENT");
	}

	private McpServerState state(String server) {
		return this.manager.server(server).status().state();
	}

	/**
	 * Return the spans of the client, which has a server that makes spans, too.
	 */
	private static List<Span> spans(Span.SpanKind kind) {
		return traces.spans()
			.stream()
			.filter((span) -> span.getKind() == kind && TraceReceiver.attributes(span).containsKey("mcp.server"))
			.toList();
	}

	private static boolean isFailure(Span span) {
		return span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR;
	}

	private static void check(Span span, Map<String, String> attributes) {
		Map<String, String> values = TraceReceiver.attributes(span);
		String method = values.get("mcp.method.name");
		String target = values.getOrDefault("gen_ai.tool.name", values.get("gen_ai.prompt.name"));
		assertThat(span.getName()).isEqualTo((target != null) ? method + " " + target : method);
		assertThat(isFailure(span)).as(span.getName()).isEqualTo(values.containsKey("error.type"));
		check(span.getName(), values, attributes, Function.identity());
	}

	private static void check(String metric, String scrape, Map<String, String> attributes) {
		String name = metric.replace('.', '_') + "_seconds";
		assertThat(scrape).contains("# TYPE " + name + " histogram");
		Map<String, List<MatchResult>> series = Pattern.compile("(?m)^" + name + "_bucket\\{(.*),le=\"([^\"]+)\"}")
			.matcher(scrape)
			.results()
			.filter((bucket) -> bucket.group(1).contains("mcp_server="))
			.collect(Collectors.groupingBy((bucket) -> bucket.group(1)));
		assertThat(series).as(metric).isNotEmpty();
		series.forEach((labels, buckets) -> {
			assertThat(buckets).extracting((bucket) -> bucket.group(2)).containsExactlyElementsOf(BUCKETS);
			Map<String, String> values = Pattern.compile("(\\w+)=\"([^\"]*)\"")
				.matcher(labels)
				.results()
				.filter((label) -> !label.group(1).equals("error"))
				.collect(Collectors.toMap((label) -> label.group(1), (label) -> label.group(2)));
			check(metric + " " + labels, values, attributes, (attribute) -> attribute.replace('.', '_'));
		});
	}

	private static void check(String signal, Map<String, String> values, Map<String, String> attributes,
			Function<String, String> key) {
		Set<String> known = attributes.keySet().stream().map(key).collect(Collectors.toSet());
		OWN.forEach((own) -> known.add(key.apply(own)));
		assertThat(known).as(signal).containsAll(values.keySet());
		attributes.forEach((attribute, when) -> assertThat(values.containsKey(key.apply(attribute)))
			.as(attribute + " of " + signal)
			.isEqualTo(isExpected(when, values, key)));
	}

	private static boolean isExpected(String when, Map<String, String> values, Function<String, String> key) {
		String method = values.getOrDefault(key.apply("mcp.method.name"), "");
		String error = values.get(key.apply("error.type"));
		boolean refused = values.getOrDefault(key.apply("rpc.response.status_code"), "").equals("-32602");
		return switch (when) {
			case "always" -> true;
			case "failure" -> error != null;
			case "code" ->
				(error != null && error.matches("-\\d+")) || (method.equals("elicitation/create") && refused);
			case "tool" -> method.equals("tools/call");
			case "prompt" -> method.equals("prompts/get");
			case "resource" -> method.equals("resources/read");
			case "http" -> !"socket".equals(values.get(key.apply("mcp.server")));
			case "not 2.0", "left out", "opted" -> false;
			default -> throw new IllegalArgumentException(when);
		};
	}

	private static Map<String, Map<String, String>> table() throws IOException {
		Map<String, Map<String, String>> table = new LinkedHashMap<>();
		try (InputStream file = SemanticConventionsTests.class.getResourceAsStream("/semantic-conventions.csv")) {
			new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.startsWith("#"))
				.map((line) -> StringUtils.commaDelimitedListToStringArray(line.replace(", ", ",")))
				.forEach((cells) -> table.computeIfAbsent(cells[0], (signal) -> new LinkedHashMap<>())
					.put(cells[1], cells[3]));
		}
		return table;
	}

	private String scrape() throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.port + "/actuator/prometheus");
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

	/**
	 * Answers as the message says.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		McpElicitationHandler elicitation() {
			return (request, context) -> {
				switch (request.message()) {
					case "fail" -> throw new IllegalStateException("no");
					case "refuse" -> throw McpError.builder(-32602).message("no").build();
				}
				return new ElicitResult(ElicitResult.Action.DECLINE, null, null);
			};
		}

	}

}
