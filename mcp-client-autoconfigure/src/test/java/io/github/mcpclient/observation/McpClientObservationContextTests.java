package io.github.mcpclient.observation;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the values of {@link McpClientObservationContext}, which are to be those of
 * the context of Micrometer.
 */
class McpClientObservationContextTests {

	private static final McpServerDefinition SERVER = McpServerDefinition.http("a", URI.create("http://localhost/mcp"))
		.build();

	private static final Outcome SUCCESS = outcome("2025-11-25", "1.1", null, null);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void valuesAreReplacedAndRemoved(boolean ours) {
		Observation.Context context = ours ? context() : new Observation.Context();
		context.addLowCardinalityKeyValues(KeyValues.of("b", "1", "a", "1", "d", "1"));
		context.addLowCardinalityKeyValue(KeyValue.of("c", "2"));
		context.addLowCardinalityKeyValues(KeyValues.of("d", "2", "a", "2"));
		assertThat(context.getLowCardinalityKeyValue("a")).isEqualTo(KeyValue.of("a", "2"));
		context.addHighCardinalityKeyValue(KeyValue.of("high", "1"));
		assertThat(context.getLowCardinalityKeyValues())
			.isEqualTo(KeyValues.of("a", "2", "b", "1", "c", "2", "d", "2"));
		context.removeLowCardinalityKeyValues("a", "d", "x").removeLowCardinalityKeyValue("c");
		assertThat(context.getLowCardinalityKeyValue("a")).isNull();
		assertThat(context.getAllKeyValues()).isEqualTo(KeyValues.of("b", "1", "high", "1"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void valuesOfHighCardinalityAreReplacedAndRemoved(boolean ours) {
		Observation.Context context = ours ? context() : new Observation.Context();
		context.addHighCardinalityKeyValues(KeyValues.of("b", "1", "a", "1", "d", "1"));
		context.addHighCardinalityKeyValues(KeyValues.of("d", "2", "a", "2"));
		context.addLowCardinalityKeyValue(KeyValue.of("a", "low"));
		assertThat(context.getHighCardinalityKeyValue("a")).isEqualTo(KeyValue.of("a", "2"));
		assertThat(context.getHighCardinalityKeyValues()).isEqualTo(KeyValues.of("a", "2", "b", "1", "d", "2"));
		assertThat(context.getAllKeyValues()).isEqualTo(KeyValues.of("a", "2", "b", "1", "d", "2"));
		context.removeHighCardinalityKeyValues("a", "x").removeHighCardinalityKeyValue("d");
		assertThat(context.getHighCardinalityKeyValue("a")).isNull();
		assertThat(context.getAllKeyValues()).isEqualTo(KeyValues.of("a", "low", "b", "1"));
	}

	@Test
	void tagsOfAToolAreTheSameFromCallToCall() {
		ToolTags shared = new ToolTags();
		KeyValues first = tags(shared, SUCCESS);
		assertThat(tags(shared, SUCCESS)).isSameAs(first);
		Outcome failed = outcome("2025-11-25", "1.1", "tool_error", null);
		assertThat(tags(shared, failed)).contains(KeyValue.of("error.type", "tool_error"));
		assertThat(tags(shared, outcome("2025-11-25", "1.1", null, "result"))).isSameAs(first);
	}

	@Test
	void tagsOfAToolFollowTheOutcomeAndTheServer() {
		ToolTags shared = new ToolTags();
		tags(shared, SUCCESS);
		for (Outcome outcome : List.of(outcome("2025-06-18", "1.1", null, null), outcome("2025-06-18", "2", null, null),
				outcome("2025-06-18", null, null, null), SUCCESS,
				new Outcome("2025-11-25", "1.1", "other", null, null, null),
				new Outcome("2025-11-25", "1.1", "echo", null, "-32042", null))) {
			assertThat(tags(shared, outcome)).isEqualTo(tags(new ToolTags(), outcome));
		}
		McpServerDefinition moved = McpServerDefinition.http("a", URI.create("https://elsewhere/mcp")).build();
		assertThat(tags(moved, shared, SUCCESS)).contains(KeyValue.of("server.address", "elsewhere"));
	}

	private static KeyValues tags(ToolTags shared, Outcome outcome) {
		return tags(SERVER, shared, outcome);
	}

	private static KeyValues tags(McpServerDefinition server, ToolTags shared, Outcome outcome) {
		return new DefaultMcpClientObservationConvention().getLowCardinalityKeyValues(new McpClientObservationContext(
				new Request(server, "tools/call", "1", "echo", null, Map.of()), outcome, shared));
	}

	private static Outcome outcome(String protocol, String network, String error, String result) {
		return new Outcome(protocol, network, "echo", error, null, result);
	}

	private static McpClientObservationContext context() {
		return new McpClientObservationContext(new Request(SERVER, "ping", "1", null, null, Map.of()),
				new Outcome(null, null, null, null, null, null));
	}

}
