package io.github.mcpclient.sample;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/**
 * The tools of the {@link DemoMcpServer}.
 */
class DemoTools {

	private static final String TIME_NOW_INPUT = """
			{
			  "type": "object",
			  "properties": {
			    "zone": {"type": "string", "description": "Such as Europe/Paris; UTC where absent"}
			  }
			}
			""";

	private static final String TIME_NOW_OUTPUT = """
			{
			  "type": "object",
			  "properties": {
			    "zone": {"type": "string"},
			    "time": {"type": "string", "format": "date-time"}
			  },
			  "required": ["zone", "time"]
			}
			""";

	private static final String DICE_ROLL_INPUT = """
			{
			  "type": "object",
			  "properties": {
			    "sides": {"type": "integer", "minimum": 2, "maximum": 1000, "default": 6},
			    "count": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1}
			  }
			}
			""";

	private static final String DICE_ROLL_OUTPUT = """
			{
			  "type": "object",
			  "properties": {
			    "rolls": {"type": "array", "items": {"type": "integer"}},
			    "total": {"type": "integer"}
			  },
			  "required": ["rolls", "total"]
			}
			""";

	private static final ToolAnnotations READ_ONLY = ToolAnnotations.builder()
		.readOnlyHint(true)
		.openWorldHint(false)
		.build();

	private final McpJsonMapper json;

	private final Clock clock;

	private final ObservationRegistry observations;

	DemoTools(McpJsonMapper json, Clock clock, ObservationRegistry observations) {
		this.json = json;
		this.clock = clock;
		this.observations = observations;
	}

	List<SyncToolSpecification> specifications() {
		Tool timeNow = tool("time_now", TIME_NOW_INPUT, TIME_NOW_OUTPUT).title("Current time")
			.description("Tells the current time in a time zone.")
			.build();
		Tool diceRoll = tool("dice_roll", DICE_ROLL_INPUT, DICE_ROLL_OUTPUT).title("Roll dice")
			.description("Rolls dice and adds them up.")
			.build();
		return List.of(new SyncToolSpecification(timeNow, (exchange, request) -> observed(request, this::timeNow)),
				new SyncToolSpecification(diceRoll, (exchange, request) -> observed(request, this::rollDice)));
	}

	/**
	 * Continue the trace that a client has put into the {@code _meta} of its request.
	 */
	private CallToolResult observed(CallToolRequest request, Function<CallToolRequest, CallToolResult> tool) {
		ReceiverContext<Map<String, Object>> context = new ReceiverContext<>(
				(meta, key) -> (meta.get(key) instanceof String value) ? value : null, Kind.SERVER);
		context.setCarrier((request.meta() != null) ? request.meta() : Map.of());
		return Objects.requireNonNull(
				Observation.createNotStarted("mcp.server.operation.duration", () -> context, this.observations)
					.contextualName("tools/call " + request.name())
					.observe(() -> tool.apply(request)));
	}

	private Tool.Builder tool(String name, String input, String output) {
		return Tool.builder(name, this.json, input).outputSchema(this.json, output).annotations(READ_ONLY);
	}

	private CallToolResult timeNow(CallToolRequest request) {
		Object zone = arguments(request).getOrDefault("zone", "UTC");
		try {
			ZonedDateTime now = ZonedDateTime.now(this.clock.withZone(ZoneId.of(zone.toString())));
			String time = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(now.truncatedTo(ChronoUnit.SECONDS));
			return result("It is " + time + " in " + zone + ".", "zone", zone, "time", time);
		}
		catch (DateTimeException ex) {
			return CallToolResult.builder()
				.addTextContent("There is no time zone '" + zone + "'.")
				.isError(true)
				.build();
		}
	}

	private CallToolResult rollDice(CallToolRequest request) {
		Map<String, Object> arguments = arguments(request);
		int sides = ((Number) arguments.getOrDefault("sides", 6)).intValue();
		int count = ((Number) arguments.getOrDefault("count", 1)).intValue();
		List<Integer> rolls = ThreadLocalRandom.current().ints(count, 1, sides + 1).boxed().toList();
		int total = rolls.stream().mapToInt(Integer::intValue).sum();
		return result("Rolled " + rolls + ", " + total + " in all.", "rolls", rolls, "total", total);
	}

	private static Map<String, Object> arguments(CallToolRequest request) {
		return (request.arguments() != null) ? request.arguments() : Map.of();
	}

	private static CallToolResult result(String text, String firstKey, Object first, String secondKey, Object second) {
		Map<String, Object> structured = new LinkedHashMap<>();
		structured.put(firstKey, first);
		structured.put(secondKey, second);
		return CallToolResult.builder().addTextContent(text).structuredContent(structured).build();
	}

}
