package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.session.CallOptions;
import io.github.mcpclient.session.McpSession;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Asks for what the server has beside its tools, where it says that it has such.
 */
final class Reads {

	private final Supervisor supervisor;

	private final Calls calls;

	private final McpServerDefinition definition;

	Reads(Supervisor supervisor, Calls calls, McpServerDefinition definition) {
		this.supervisor = supervisor;
		this.calls = calls;
		this.definition = definition;
	}

	Mono<GetPromptResult> getPrompt(GetPromptRequest request) {
		return read(McpSchema.METHOD_PROMPT_GET, request.name(), promptsRefusal(), "prompts",
				(server) -> server.capabilities().prompts() != null,
				(session, options) -> session.getPrompt(request, options));
	}

	Mono<ReadResourceResult> readResource(ReadResourceRequest request) {
		return read(McpSchema.METHOD_RESOURCES_READ, request.uri(), resourcesRefusal(), "resources",
				(server) -> server.capabilities().resources() != null,
				(session, options) -> session.readResource(request, options));
	}

	Mono<CompleteResult> complete(CompleteRequest request) {
		boolean ofPrompt = request.ref() instanceof PromptReference;
		return read(McpSchema.METHOD_COMPLETION_COMPLETE, "of argument " + request.argument().name(),
				ofPrompt ? promptsRefusal() : resourcesRefusal(), "completions", Reads::completes,
				(session, options) -> session.complete(request, options));
	}

	/**
	 * The first revision had completion, but no capability to tell of it.
	 */
	private static boolean completes(InitializeResult server) {
		return server.capabilities().completions() != null
				|| ProtocolVersions.MCP_2024_11_05.equals(server.protocolVersion());
	}

	private @Nullable String promptsRefusal() {
		return this.definition.prompts().enabled() ? null
				: "mcp.servers." + this.definition.name() + ".prompts.enabled is false";
	}

	private @Nullable String resourcesRefusal() {
		return this.definition.resources().enabled() ? null
				: "mcp.servers." + this.definition.name() + ".resources.enabled is false";
	}

	private <T> Mono<T> read(String method, String subject, @Nullable String refusal, String capability,
			Predicate<InitializeResult> offered, BiFunction<McpSession, CallOptions, Mono<T>> request) {
		if (refusal != null) {
			return Mono.error(() -> new McpUnsupportedException(this.definition.name(), method, refusal));
		}
		CallCheck check = () -> {
			InitializeResult server = this.supervisor.state().server();
			return (server == null || offered.test(server)) ? null : new McpUnsupportedException(this.definition.name(),
					method, "it does not declare the capability '" + capability + "'");
		};
		return this.calls.call(new Read<>(method + " " + subject, timeout(), check, request));
	}

	/**
	 * List what is known of one kind, or wait for it to be known.
	 * @param <T> the type of an item
	 * @param method the method that lists, for messages
	 * @param part the kind
	 * @return the items
	 */
	<T> Mono<List<T>> list(String method, ContentPart<T> part) {
		Call<List<T>> call = new Call<>(timeout()) {

			@Override
			String name() {
				return method;
			}

			@Override
			Mono<List<T>> send(McpSession session, Duration rest) {
				return part.list(rest);
			}

			@Override
			boolean limited() {
				return false;
			}

		};
		return Mono.defer(() -> {
			List<T> known = part.known();
			return (known != null) ? Mono.just(known) : this.calls.call(call);
		});
	}

	private Duration timeout() {
		return this.definition.timeouts().request();
	}

}
