package io.github.mcpclient.client;

import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpResultConversionException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpJsonMapperCustomizer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;

import org.springframework.core.ParameterizedTypeReference;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Calls with types of the application as arguments and results.
 */
class TypedCallsTests {

	private final McpTestServer server = McpTestServer.create().tools("forecast").start();

	private StandaloneMcpClient client = start();

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	private StandaloneMcpClient start(Object... parts) {
		StandaloneMcpClient.Builder builder = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("weather", URI.create(this.server.url())).build())
			.startupWait(LIMIT);
		Arrays.stream(parts).forEach(builder::add);
		return builder.build();
	}

	private McpTool tool() {
		return this.client.tools().get("weather_forecast");
	}

	private void answer(Map<String, ?> result) {
		this.server.on("tools/call", McpTestReply.result(result));
	}

	private void answerText(String text) {
		answer(Map.of("content", List.of(Map.of("type", "text", "text", text))));
	}

	private Object sent() {
		return this.server.calls().get(0).params().get("arguments");
	}

	@Test
	void aRecordIsTheArgumentsWithoutWhatIsNull() {
		tool().call(new Wish("Paris", null, LocalDate.of(2026, 1, 2), new Wish.Unit[] { Wish.Unit.CELSIUS }));
		assertThat(sent()).isEqualTo(Map.of("city", "Paris", "from", "2026-01-02", "units", List.of("CELSIUS")));
	}

	@Test
	void aRequestHasItToo() {
		tool().callAsync(tool().request(new Wish("Paris", 3, null, null)).withTimeout(Duration.ofSeconds(5)))
			.block(LIMIT);
		assertThat(sent()).isEqualTo(Map.of("city", "Paris", "days", 3));
	}

	@Test
	void eachFormOfArgumentsIsKnownByItsTypeAtRuntime() {
		Map<String, @Nullable Object> map = new HashMap<>();
		map.put("days", null);
		List<Object> forms = List.of(map, "{\"days\": null}", McpToolRequest.of(map));
		for (Object form : forms) {
			tool().call(form);
			tool().callAsync(form).block(LIMIT);
		}
		assertThat(this.server.calls()).hasSize(6)
			.allSatisfy((call) -> assertThat(call.params().get("arguments")).isEqualTo(map));
	}

	@Test
	void whatIsNoObjectIsRefused() {
		for (Object wrong : List.of(1, List.of("Paris"), new int[0], Wish.Unit.CELSIUS)) {
			assertThatIllegalArgumentException().isThrownBy(() -> tool().call(wrong))
				.withMessage("The arguments of MCP tool 'weather_forecast' must be a map, a record, a bean or a JSON "
						+ "object, and not " + wrong.getClass().getName());
		}
		assertThatIllegalArgumentException().isThrownBy(() -> tool().call(new Broken()))
			.withMessageEndingWith("Broken cannot be written as one");
		assertThat(this.server.calls()).isEmpty();
	}

	@Test
	void structuredContentComesBeforeText() {
		answer(Map.of("content", List.of(Map.of("type", "text", "text", "not JSON")), "structuredContent",
				Map.of("city", "Paris", "degrees", 21.5, "unknown", true)));
		assertThat(tool().call(Map.of()).structuredContent(Forecast.class)).isEqualTo(new Forecast("Paris", 21.5));
	}

	@Test
	void textThatIsJsonIsRead() {
		answerText("[{\"city\": \"Paris\", \"degrees\": 21.5}]");
		McpToolResult result = tool().call(Map.of());
		assertThat(result.structuredContent(new ParameterizedTypeReference<List<Forecast>>() {
		})).containsExactly(new Forecast("Paris", 21.5));
		assertThat(result.structuredContent(Forecast[].class)).hasSize(1);
	}

	@Test
	void whatIsNoObjectMayBeWrapped() {
		answer(Map.of("content", List.of(), "structuredContent", Map.of("result", List.of(1, 2))));
		McpToolResult result = tool().call(Map.of());
		assertThat(result.structuredContent(int[].class)).containsExactly(1, 2);
		assertThat(result.structuredContent(new ParameterizedTypeReference<Map<String, Object>>() {
		})).containsKey("result");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sunny", "[1]", "null", "{\"degrees\": \"warm\"}", "" })
	void whatCannotBeReadIsQuoted(String text) {
		answerText(text);
		McpToolResult result = tool().call(Map.of());
		assertThatExceptionOfType(McpResultConversionException.class)
			.isThrownBy(() -> result.structuredContent(Forecast.class))
			.withMessageStartingWith("The result of MCP tool 'weather_forecast' cannot be read as "
					+ Forecast.class.getTypeName() + ": ")
			.withMessageEndingWith(". It begins with: " + text)
			.satisfies((ex) -> assertThat(ex.getResult()).isSameAs(result))
			.satisfies((ex) -> assertThat(ex.getType()).isEqualTo(Forecast.class))
			.satisfies((ex) -> assertThat(ex.isOutcomeKnown()).isTrue());
	}

	@Test
	void aLongResultIsQuotedInPart() {
		answerText("x".repeat(100_000));
		assertThatExceptionOfType(McpResultConversionException.class)
			.isThrownBy(() -> tool().call(Map.of()).structuredContent(Forecast.class))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(2000));
	}

	@Test
	void aResultWithoutOneTextHasNothingToRead() {
		answer(Map.of("content", List.of()));
		assertThatExceptionOfType(McpResultConversionException.class)
			.isThrownBy(() -> tool().call(Map.of()).structuredContent(Forecast.class))
			.withMessageContaining("no structured content, and 0 items of text");
	}

	@Test
	void anErrorIsNotRead() {
		answer(Map.of("isError", true, "content", List.of(Map.of("type", "text", "text", "No such city"))));
		assertThatExceptionOfType(McpToolException.class)
			.isThrownBy(() -> tool().call(Map.of()).structuredContent(Forecast.class))
			.withMessageContaining("No such city");
	}

	@Test
	void customizersAreForArgumentsAndResultsAlone() {
		McpJsonMapperCustomizer customizer = (mapper) -> mapper
			.propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE);
		McpToolInterceptor answering = (tool, request, chain) -> request.arguments().containsKey("Days")
				? McpToolResult.success(tool.name(), "{\"City\": \"Nowhere\", \"Degrees\": 1}")
				: chain.proceed(request);
		this.client.close();
		this.client = start(customizer, answering);
		answerText("{\"City\": \"Paris\", \"Degrees\": 2}");
		assertThat(tool().call(new Wish("Paris", null, null, null)).structuredContent(Forecast.class))
			.isEqualTo(new Forecast("Paris", 2));
		assertThat(sent()).isEqualTo(Map.of("City", "Paris"));
		Wish answered = new Wish("Paris", 1, null, null);
		assertThat(tool().call(answered).structuredContent(Forecast.class)).isEqualTo(new Forecast("Nowhere", 1));
		assertThat(tool().callAsync(answered).map((result) -> result.structuredContent(Forecast.class)).block(LIMIT))
			.isEqualTo(new Forecast("Nowhere", 1));
	}

	@Test
	void aCustomizerThatFailsFailsTheStart() {
		McpJsonMapperCustomizer customizer = (mapper) -> {
			throw new IllegalStateException("no such module");
		};
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> start(customizer))
			.withStackTraceContaining("no such module");
	}

	record Wish(String city, @Nullable Integer days, @Nullable LocalDate from, Unit @Nullable [] units) {

		enum Unit {

			CELSIUS, KELVIN

		}

	}

	interface City {

		String getCity();

	}

	static class Broken implements City {

		@Override
		public String getCity() {
			throw new IllegalStateException("unknown");
		}

	}

	record Forecast(String city, double degrees) {
	}

}
