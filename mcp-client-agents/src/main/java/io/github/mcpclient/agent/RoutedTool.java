package io.github.mcpclient.agent;

import java.time.Instant;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.JsonValues;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.util.function.SingletonSupplier;

/**
 * A tool for models that belongs to no server. Its calls may delegate to tools of
 * servers.
 */
abstract class RoutedTool implements McpTool {

	private final String name;

	private final String description;

	// read when a model gets it: most of what reads JSON is loaded with it
	private final Supplier<Map<String, @Nullable Object>> inputSchema;

	RoutedTool(String name, String description, String inputSchema) {
		this.name = name;
		this.description = description;
		this.inputSchema = SingletonSupplier.of(() -> JsonValues.arguments(name, inputSchema));
	}

	/**
	 * Return the result of a call, or delegate the call. Any failure becomes an error
	 * result for a model, except if the user must log in.
	 * @param converter converts the result
	 * @param call calls a tool of a server
	 */
	abstract <R> R route(McpToolRequest request, Function<McpToolResult, R> converter,
			BiFunction<McpTool, McpToolRequest, R> call);

	String text(McpToolRequest request, String argument) {
		if (request.arguments().get(argument) instanceof String value && !value.isBlank()) {
			return value;
		}
		throw new IllegalArgumentException(this.name + " needs the argument '" + argument + "', which is a text");
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		return "";
	}

	@Override
	public String originalName() {
		return this.name;
	}

	@Override
	public @Nullable String title() {
		return null;
	}

	@Override
	public String description() {
		return this.description;
	}

	@Override
	public Map<String, @Nullable Object> inputSchema() {
		return this.inputSchema.get();
	}

	@Override
	public @Nullable Map<String, @Nullable Object> outputSchema() {
		return null;
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return null;
	}

	@Override
	public @Nullable McpToolRule rule() {
		return null;
	}

	@Override
	public @Nullable Instant changedAt() {
		return null;
	}

	@Override
	public boolean hidden() {
		return false;
	}

	@Override
	public @Nullable String instructions() {
		return null;
	}

	@Override
	public boolean available() {
		return true;
	}

	@Override
	public McpToolRequest request(Object arguments) {
		return (arguments instanceof McpToolRequest request) ? request
				: McpToolRequest.of(JsonValues.arguments(null, this.name, arguments));
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		return route(request, Function.identity(), McpTool::call);
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		return Mono.defer(() -> route(request, Mono::just, McpTool::callAsync));
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

}
