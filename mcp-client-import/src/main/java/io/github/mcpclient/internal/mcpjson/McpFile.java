package io.github.mcpclient.internal.mcpjson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file of servers for any client.
 *
 * @param root the whole content
 * @param servers the entries by name, in the order of the file
 * @param rootNames the names that lead to the entries: {@code mcpServers},
 * {@code mcp.servers} and the like; empty if the servers are the whole content, and
 * {@code server.json} if the file is a {@code server.json}
 */
record McpFile(JsonValue root, Map<String, JsonValue> servers, String rootNames) {

	static final String MCP = "mcp";

	static final String MCP_SERVERS = "mcp.servers";

	static final String CONTEXT_SERVERS = "context_servers";

	static final String REGISTRY = "server.json";

	private static final String MANIFEST = "It is the manifest of an MCP bundle (.mcpb, .dxt), which has no list of "
			+ "servers. Configure a server with its command, args and env.";

	private static final String REGISTRY_ANSWER = "It is a response of the MCP registry, which has only templates for "
			+ "servers. Choose one, and configure a server with a command or a URL.";

	private static final List<String> TARGETS = List.of("command", "url", "serverUrl", "httpUrl");

	static McpFile of(JsonValue root, List<String> preferred) throws JsonFileException {
		if (!root.is(Kind.OBJECT)) {
			throw new JsonFileException("It is not an object with servers: it begins with '{\"mcpServers\": {'.", root);
		}
		JsonValue mcpServers = root.get("mcpServers");
		if (mcpServers != null && !mcpServers.is(Kind.OBJECT)) {
			throw new JsonFileException("'mcpServers' is not an object with a name for each server.", mcpServers);
		}
		JsonValue servers = root.get("servers", Kind.OBJECT);
		if (mcpServers != null || servers != null) {
			Map<String, JsonValue> entries = new LinkedHashMap<>();
			if (mcpServers != null) {
				entries.putAll(mcpServers.members());
			}
			if (servers != null) {
				servers.members().forEach(entries::putIfAbsent);
			}
			return new McpFile(root, entries, (mcpServers != null) ? "mcpServers" : "servers");
		}
		JsonValue mcp = root.get(MCP, Kind.OBJECT);
		JsonValue nested = (mcp != null) ? mcp.get("servers", Kind.OBJECT) : null;
		if (nested != null) {
			return new McpFile(root, nested.members(), MCP_SERVERS);
		}
		if (mcp != null && (mcp.members().isEmpty()
				|| mcp.members().values().stream().anyMatch((member) -> member.is(Kind.OBJECT)))) {
			return new McpFile(root, mcp.members(), MCP);
		}
		JsonValue contextServers = root.get(CONTEXT_SERVERS, Kind.OBJECT);
		if (contextServers != null) {
			return new McpFile(root, contextServers.members(), CONTEXT_SERVERS);
		}
		if (!root.members().isEmpty() && root.members().values().stream().allMatch((entry) -> entry.hasAny(TARGETS))) {
			return new McpFile(root, root.members(), "");
		}
		JsonValue server = root.get("server", Kind.OBJECT);
		JsonValue registered = (server != null) ? server : root;
		if (isOfRegistry(registered)) {
			return new McpFile(root, RegistryServer.of(registered).entry(preferred), REGISTRY);
		}
		String template = template(root);
		throw new JsonFileException((template != null) ? template
				: "It has no servers: they are expected in an object 'mcpServers' (or 'servers', 'mcp' or "
						+ "'context_servers'), with a name for each of them.");
	}

	/**
	 * Recognize files that describe a server without configuring it.
	 */
	private static @Nullable String template(JsonValue root) {
		JsonValue server = root.get("server", Kind.OBJECT);
		if (server != null && server.get("mcp_config") != null
				|| root.hasAny(List.of("manifest_version", "dxt_version"))) {
			return MANIFEST;
		}
		return (root.get("servers", Kind.LIST) != null) ? REGISTRY_ANSWER : null;
	}

	private static boolean isOfRegistry(JsonValue server) {
		JsonValue schema = server.get("$schema", Kind.TEXT);
		return server.get("packages", Kind.LIST) != null || server.get("remotes", Kind.LIST) != null
				|| (schema != null && schema.text().endsWith("/server.schema.json"));
	}

	/**
	 * Return which servers the file disables outside of their entries, by name.
	 */
	Predicate<String> isOff() {
		JsonValue mcp = this.root.get(MCP, Kind.OBJECT);
		if (mcp == null || this.rootNames.equals(MCP) || this.rootNames.equals(MCP_SERVERS)) {
			return (server) -> false;
		}
		JsonValue excluded = mcp.get("excluded", Kind.LIST);
		JsonValue allowed = mcp.get("allowed", Kind.LIST);
		Predicate<String> off = (excluded != null) ? names(excluded)::contains : (server) -> false;
		return (allowed != null) ? off.or(Predicate.not(names(allowed)::contains)) : off;
	}

	/**
	 * Return the defaults of the inputs of the file.
	 */
	Map<String, String> inputDefaults() {
		Map<String, String> defaults = new LinkedHashMap<>();
		JsonValue inputs = this.root.get("inputs", Kind.LIST);
		for (JsonValue input : (inputs != null) ? inputs.items() : List.<JsonValue>of()) {
			JsonValue id = input.get("id", Kind.TEXT);
			JsonValue value = input.get("default");
			if (id != null && value != null && value.hasText()) {
				defaults.put(id.text(), value.text());
			}
		}
		return defaults;
	}

	List<String> unused() {
		if (this.rootNames.isEmpty() || this.rootNames.equals(REGISTRY)) {
			return List.of();
		}
		List<String> names = new ArrayList<>(this.root.members().keySet());
		names.removeAll(List.of("mcpServers", "servers", "inputs", MCP, CONTEXT_SERVERS, "$schema"));
		return names;
	}

	boolean hasSharedToolFilter() {
		return (this.rootNames.equals(MCP) || this.rootNames.equals(MCP_SERVERS)) && this.root.get("tools") != null;
	}

	private static Set<String> names(JsonValue list) {
		return list.items()
			.stream()
			.filter((item) -> item.is(Kind.TEXT))
			.map(JsonValue::text)
			.collect(Collectors.toSet());
	}

}
