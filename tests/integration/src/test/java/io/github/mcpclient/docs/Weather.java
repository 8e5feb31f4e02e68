package io.github.mcpclient.docs;

import java.util.List;

import io.github.mcpclient.declared.McpToolArgument;
import io.github.mcpclient.declared.McpToolCall;
import io.github.mcpclient.declared.McpToolClient;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

@McpToolClient("weather")
public interface Weather {

	Forecast forecast(String city, @McpToolArgument(defaultValue = "3") @Nullable Integer days);

	@McpToolCall("get-alerts")
	Mono<List<Alert>> alerts(AlertRequest request);

	record Forecast(String city, List<Integer> degrees) {
	}

	record AlertRequest(String region, @Nullable String severity) {
	}

	record Alert(String text) {
	}

}
