package io.github.mcpclient.observation;

import java.net.URI;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the values of {@link McpClientObservationContext}, which are to be those of
 * the context of Micrometer.
 */
class McpClientObservationContextTests {

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

	private static McpClientObservationContext context() {
		McpServerDefinition server = McpServerDefinition.http("a", URI.create("http://localhost/mcp")).build();
		return new McpClientObservationContext(new Request(server, "ping", "1", null, null, Map.of()),
				new Outcome(null, null, null, null, null, null));
	}

}
