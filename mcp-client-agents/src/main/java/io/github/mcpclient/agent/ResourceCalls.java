package io.github.mcpclient.agent;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Calls of the {@link ResourceTools}, for the user of the caller: the list of resources
 * is what is known, and the server reads one.
 */
record ResourceCalls(McpServer server) {

	private static final int LONGEST_URI = 2000;

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_DESCRIPTION = 500;

	/**
	 * List the resources that match, a page at a time.
	 */
	Mono<CallToolResult> list(McpToolRequest request) {
		return Mono.zip(this.server.resourceTemplatesAsync(), this.server.resourcesAsync(),
				(templates, resources) -> list(templates, resources, request.arguments()));
	}

	private static CallToolResult list(List<ResourceTemplate> templates, List<Resource> resources,
			Map<String, @Nullable Object> arguments) {
		String wanted = (arguments.get("contains") instanceof String text) ? text.toLowerCase(Locale.ROOT) : "";
		long offset = (arguments.get("offset") instanceof Number number) ? Math.max(0, number.longValue()) : 0;
		List<Line> all = Stream
			.concat(templates.stream().map(ResourceCalls::line), resources.stream().map(ResourceCalls::line))
			.filter((line) -> line.contains(wanted))
			.toList();
		List<Line> page = all.stream().skip(offset).limit(ResourceTools.PAGE).toList();
		if (page.isEmpty()) {
			return result("There are no " + (all.isEmpty() ? "" : "more ") + "resources"
					+ (wanted.isEmpty() ? "." : " with such a uri, name or title."), false);
		}
		long end = offset + page.size();
		String head = String.format(Locale.ROOT, "Resources %,d to %,d of %,d%s:", offset + 1, end, all.size(),
				(end < all.size()) ? " (continue with offset " + end + ")" : "");
		return result(page.stream().map(Line::print).collect(Collectors.joining("\n- ", head + "\n- ", "")), false);
	}

	private static Line line(Resource resource) {
		return new Line(resource.uri(), null, resource.name(), resource.title(), resource.mimeType(), resource.size(),
				resource.description());
	}

	private static Line line(ResourceTemplate template) {
		return new Line(template.uriTemplate(), new UriTemplate(template.uriTemplate()), template.name(),
				template.title(), template.mimeType(), null, template.description());
	}

	/**
	 * Read a resource, perhaps one of a template.
	 */
	Mono<CallToolResult> read(McpToolRequest request) {
		if (!(request.arguments().get("uri") instanceof String uri) || uri.isBlank()) {
			return Mono.just(result("read_resource needs the argument 'uri', which list_resources tells", true));
		}
		UriTemplate template = new UriTemplate(uri);
		return template.variables().isEmpty() ? read(uri)
				: this.server.resourcesAsync()
					.onErrorReturn(List.of())
					.flatMap((resources) -> resources.stream().anyMatch((resource) -> resource.uri().equals(uri))
							? read(uri) : read(template, request.arguments().get("arguments")));
	}

	private Mono<CallToolResult> read(UriTemplate template, @Nullable Object arguments) {
		if (!(arguments instanceof Map<?, ?> values) || values.isEmpty()) {
			return Mono.just(result(
					"'" + Printable.text(template.template()) + "' is a template: read_resource needs the argument "
							+ "'arguments' with values of " + String.join(", ", template.variables()),
					true));
		}
		try {
			return read(template.expand(values));
		}
		catch (IllegalArgumentException ex) {
			return Mono.just(result(String.valueOf(ex.getMessage()), true));
		}
	}

	private Mono<CallToolResult> read(String uri) {
		return this.server.readResourceAsync(uri)
			.map((resource) -> new CallToolResult(resource.contents()
				.stream()
				.<Content>map((item) -> new EmbeddedResource(null, item, null))
				.toList(), false, null, resource.meta()));
	}

	private static CallToolResult result(String text, boolean error) {
		return CallToolResult.builder().addTextContent(text).isError(error).build();
	}

	/**
	 * What is listed of a resource, or of a template.
	 */
	private record Line(String uri, @Nullable UriTemplate template, @Nullable String name, @Nullable String title,
			@Nullable String type, @Nullable Long size, @Nullable String description) {

		boolean contains(String wanted) {
			return wanted.isEmpty() || Stream.of(this.uri, this.name, this.title)
				.filter(Objects::nonNull)
				.anyMatch((text) -> Printable.cut(text, LONGEST_URI).toLowerCase(Locale.ROOT).contains(wanted));
		}

		String print() {
			return Stream
				.of(Printable.line(this.uri, LONGEST_URI), (this.template != null)
						? "template of " + Printable.line(String.join(", ", this.template.variables()), LONGEST_URI)
						: null, Printable.line(this.name, LONGEST_NAME), Printable.line(this.title, LONGEST_NAME),
						Printable.line(this.type, LONGEST_NAME), (this.size != null) ? this.size + " bytes" : null,
						Printable.line(this.description, LONGEST_DESCRIPTION))
				.filter((part) -> part != null && !part.isEmpty())
				.collect(Collectors.joining(" | "));
		}

	}

}
