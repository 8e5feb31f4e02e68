package io.github.mcpclient.config.mcpjson;

import java.util.List;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes files that tell how a server could be run, rather than which servers to use.
 */
final class Templates {

	static final String ARCHIVE = "It is an MCP bundle (a .mcpb or .dxt archive): a server to be installed, not a list "
			+ "of servers. Unpack it, and write a server with its command.";

	private static final String MANIFEST = "It is the manifest of an MCP bundle (.mcpb, .dxt): a template for one server "
			+ "to be installed, not a list of servers. Write a server with its command, args and env.";

	private static final String REGISTRY = "It is a server.json of the MCP registry: a template for the ways to run one "
			+ "server, not a list of servers. Choose one of its packages or remotes, and write a server with a "
			+ "command or a url.";

	private static final String REGISTRY_ANSWER = "It is an answer of the MCP registry: templates for servers, not a "
			+ "list of servers to use. Choose one, and write a server with a command or a url.";

	private Templates() {
	}

	static @Nullable String describe(JsonValue root) {
		JsonValue server = root.get("server", Kind.OBJECT);
		if (server != null && server.get("mcp_config") != null
				|| root.hasAny(List.of("manifest_version", "dxt_version"))) {
			return MANIFEST;
		}
		if (root.get("servers", Kind.LIST) != null) {
			return REGISTRY_ANSWER;
		}
		JsonValue template = (server != null) ? server : root;
		JsonValue schema = template.get("$schema", Kind.TEXT);
		return (template.get("packages", Kind.LIST) != null || template.get("remotes", Kind.LIST) != null
				|| (schema != null && schema.text().endsWith("/server.schema.json"))) ? REGISTRY : null;
	}

}
