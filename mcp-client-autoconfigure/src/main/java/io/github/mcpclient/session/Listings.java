package io.github.mcpclient.session;

import java.util.List;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Lists all that a server has. Given {@code null} for what the server said of itself, as
 * long as it did not, a listing fails as any request does.
 */
final class Listings {

	private final Lister<Tool> tools;

	private final Lister<Prompt> prompts;

	private final Lister<Resource> resources;

	private final Lister<ResourceTemplate> resourceTemplates;

	Listings(SessionOptions options, McpTransport transport, RequestChannel channel, Alarm alarm,
			SessionListener listener) {
		this.tools = new Lister<>(ItemKind.TOOLS, options.maxTools(), options, transport, channel, alarm, listener);
		this.prompts = new Lister<>(ItemKind.PROMPTS, options.maxPrompts(), options, transport, channel, alarm,
				listener);
		this.resources = new Lister<>(ItemKind.RESOURCES, options.maxResources(), options, transport, channel, alarm,
				listener);
		this.resourceTemplates = new Lister<>(ItemKind.RESOURCE_TEMPLATES, options.maxResources(), options, transport,
				channel, alarm, listener);
	}

	Mono<List<Tool>> tools(@Nullable InitializeResult server) {
		return this.tools.list(server);
	}

	Mono<List<Prompt>> prompts(@Nullable InitializeResult server) {
		return noneIfUnknown(this.prompts.list(server));
	}

	Mono<List<Resource>> resources(@Nullable InitializeResult server) {
		return noneIfUnknown(this.resources.list(server));
	}

	Mono<List<ResourceTemplate>> resourceTemplates(@Nullable InitializeResult server) {
		return noneIfUnknown(this.resourceTemplates.list(server));
	}

	/**
	 * Servers often declare a capability of which they have a part only, such as
	 * resources without templates.
	 */
	private static <T> Mono<List<T>> noneIfUnknown(Mono<List<T>> listing) {
		return listing.onErrorResume(
				(ex) -> ex instanceof McpError error
						&& error.getJsonRpcError().code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND,
				(ex) -> Mono.just(List.of()));
	}

}
