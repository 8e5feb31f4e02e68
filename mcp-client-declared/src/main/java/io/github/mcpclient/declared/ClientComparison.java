package io.github.mcpclient.declared;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Content;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.core.JacksonException;

import org.springframework.core.ResolvableType;

/**
 * Compares declared clients with the tools that the application gets of their servers.
 * Safe for use by many threads.
 */
final class ClientComparison {

	private static final int MOST_MISMATCHES = 100;

	private static final int MOST_OF_TOOL = 20;

	private static final int MOST_SUGGESTIONS = 10;

	// what is not read from the structured result
	private static final Set<Class<?>> WHOLE = Set.of(void.class, Void.class, String.class, McpToolResult.class);

	private static final ResolvableType CONTENT = ResolvableType.forClassWithGenerics(List.class, Content.class);

	private static final Logger logger = LoggerFactory.getLogger(ClientComparison.class);

	private final McpServerRegistry registry;

	private final JsonShapes shapes;

	// by the interface
	private final Map<Class<?>, List<ToolShape>> known = new ConcurrentHashMap<>();

	ClientComparison(McpServerRegistry registry, JsonShapes shapes) {
		this.registry = registry;
		this.shapes = shapes;
	}

	/**
	 * Compare clients of a server with what it lists now.
	 * @param masked masks secrets in what comes from the server
	 * @param exclusions tells why the application does not get a tool, by the name that
	 * the server gives to it, or {@code null}
	 * @return one event for each client, also for clients that match; empty if the server
	 * is not READY
	 */
	List<McpToolClientMismatchEvent> compare(String server, Collection<DeclaredClient> clients,
			UnaryOperator<String> masked, Function<String, @Nullable String> exclusions) {
		McpServer found = this.registry.find(server).orElse(null);
		if (found == null) {
			List<Mismatch> mismatches = List.of(noServer(server));
			return clients.stream().map((client) -> event(client, mismatches)).toList();
		}
		if (found.status().state() != McpServerState.READY) {
			return List.of();
		}
		ListedTools listed = new ListedTools(found, exclusions);
		List<McpToolClientMismatchEvent> events = new ArrayList<>();
		for (DeclaredClient client : clients) {
			try {
				events.add(event(client, compare(client, listed, masked)));
			}
			catch (Throwable ex) {
				// for example if a class is missing: the other clients are still compared
				LogKeys.line(logger, Level.WARN, server)
					.setCause(ex)
					.log("Declared MCP client {} could not be compared with MCP server '{}'", client.type().getName(),
							server);
			}
		}
		return events;
	}

	private Mismatch noServer(String name) {
		List<String> known = this.registry.servers().stream().map(McpServer::name).toList();
		return new Mismatch(Kind.NO_SERVER, null,
				String.valueOf(new NoSuchMcpServerException(name, known).getMessage()));
	}

	static McpToolClientMismatchEvent event(DeclaredClient client, List<Mismatch> mismatches) {
		return new McpToolClientMismatchEvent(client.server(), client.type().getName(), mismatches);
	}

	private List<Mismatch> compare(DeclaredClient client, ListedTools listed, UnaryOperator<String> masked) {
		List<Mismatch> mismatches = new ArrayList<>();
		for (ToolShape shape : this.known.computeIfAbsent(client.type(), (type) -> shapes(client))) {
			List<Mismatch> found = compare(shape, listed);
			found.stream()
				.limit(Math.min(MOST_OF_TOOL, MOST_MISMATCHES - mismatches.size()))
				.map((one) -> new Mismatch(one.kind(), one.method(), masked.apply(one.detail())))
				.forEach(mismatches::add);
			if (mismatches.size() == MOST_MISMATCHES) {
				break;
			}
		}
		return mismatches;
	}

	private static List<Mismatch> compare(ToolShape shape, ListedTools listed) {
		String method = shape.tool().method().getName();
		List<McpTool> tools = listed.of(shape.tool());
		if (tools.isEmpty()) {
			return List.of(new Mismatch(Kind.NO_TOOL, method, listed.missing(shape.tool())));
		}
		if (tools.size() > 1) {
			return List.of(new Mismatch(Kind.NO_TOOL, method,
					"the server has several tools with similar names: "
							+ Printable.first(5, tools, (tool) -> Printable.text(tool.originalName()))
							+ ". Name one with @McpToolCall"));
		}
		List<Mismatch> found = new ArrayList<>();
		compare(shape, tools.get(0), found);
		return found;
	}

	private static void compare(ToolShape shape, McpTool tool, List<Mismatch> found) {
		String method = shape.tool().method().getName();
		new SchemaComparison(tool.inputSchema(), (kind, detail) -> found.add(new Mismatch(kind, method, detail)))
			.compareArguments(shape.arguments());
		Map<String, @Nullable Object> output = tool.outputSchema();
		String returned = (output != null) ? new SchemaComparison(output, (kind, detail) -> {
		}).resultMismatch(shape.result()) : null;
		if (returned != null) {
			found.add(new Mismatch(Kind.RESULT_TYPE, method, "the return type is read from "
					+ String.join(" or ", shape.result().types()) + ", but the tool returns " + returned));
		}
	}

	private List<ToolShape> shapes(DeclaredClient client) {
		return client.tools().stream().map((tool) -> new ToolShape(tool, arguments(tool), result(tool))).toList();
	}

	private JsonShape arguments(DeclaredTool tool) {
		ResolvableType whole = tool.whole();
		if (whole != null) {
			return written(whole);
		}
		Map<String, JsonShape> arguments = new LinkedHashMap<>();
		tool.arguments().forEach((argument) -> arguments.put(argument.name(), written(argument.type())));
		return JsonShape.object(arguments);
	}

	private JsonShape written(ResolvableType type) {
		try {
			return this.shapes.written(type.getType());
		}
		catch (JacksonException ex) {
			// a call tells why it cannot be written
			return JsonShape.ANY;
		}
	}

	private JsonShape result(DeclaredTool tool) {
		ResolvableType type = tool.result();
		if (WHOLE.contains(type.toClass()) || type.isAssignableFrom(CONTENT)) {
			return JsonShape.ANY;
		}
		try {
			return this.shapes.read(type.getType());
		}
		catch (JacksonException ex) {
			return JsonShape.ANY;
		}
	}

	/**
	 * Return a suggestion of the names that are nearest to one, or an empty text.
	 */
	static String suggestion(String name, Collection<String> known) {
		List<String> nearest = NearestNames.of(name, known);
		return nearest.isEmpty() ? ""
				: nearest.stream().map(Printable::text).collect(Collectors.joining(" or ", ". Did you mean ", "?"));
	}

	private record ToolShape(DeclaredTool tool, JsonShape arguments, JsonShape result) {
	}

	/**
	 * The tools that the application gets of a server now, by what their spellings have
	 * in common.
	 */
	private static final class ListedTools {

		private final Map<String, List<McpTool>> spelled;

		private final Function<String, @Nullable String> exclusions;

		private int suggestions;

		private ListedTools(McpServer server, Function<String, @Nullable String> exclusions) {
			this.exclusions = exclusions;
			this.spelled = server.tools()
				.stream()
				.collect(Collectors.groupingBy((tool) -> ToolSpelling.of(tool.originalName())));
		}

		private List<McpTool> of(DeclaredTool declared) {
			return declared.among(this.spelled.getOrDefault(ToolSpelling.of(declared.name()), List.of()));
		}

		private String missing(DeclaredTool declared) {
			String name = declared.name();
			if (++this.suggestions > MOST_SUGGESTIONS) {
				return "the server has no tool '" + name + "'";
			}
			String reason = this.exclusions.apply(name);
			return (reason != null) ? "tool '" + name + "' is excluded: " + reason
					: "the server has no tool '" + name + "'" + suggestion(name,
							this.spelled.values().stream().flatMap(List::stream).map(McpTool::originalName).toList());
		}

	}

}
