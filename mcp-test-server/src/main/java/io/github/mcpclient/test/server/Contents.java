package io.github.mcpclient.test.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The features of the server, and its default response to each request.
 */
final class Contents {

	private static final McpTestHandler DONE = new Script.Fixed(McpTestReply.result(Map.of()));

	private final Map<String, Object> initialization = new ConcurrentHashMap<>(
			Map.of("serverInfo", Map.of("name", "test-server", "version", "1.0")));

	private final Map<String, Object> capabilities = new ConcurrentHashMap<>(
			Map.of("tools", Map.of("listChanged", true)));

	private final Kind tools = new Kind("tools", "name");

	private final Kind prompts = new Kind("prompts", "name");

	private final Kind resources = new Kind("resources", "uri");

	private final Kind templates = new Kind("resourceTemplates", "uriTemplate");

	private volatile List<String> protocolVersions = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

	private volatile int pageSize = Integer.MAX_VALUE;

	private volatile Map<String, Object> caching = Map.of("ttlMs", 0, "cacheScope", "private");

	private volatile @Nullable String lostHeaders;

	Contents copy() {
		Contents copy = new Contents();
		copy.initialization.putAll(this.initialization);
		copy.capabilities.keySet().retainAll(this.capabilities.keySet());
		copy.capabilities.putAll(this.capabilities);
		copy.tools.putAll(this.tools);
		copy.prompts.putAll(this.prompts);
		copy.resources.putAll(this.resources);
		copy.templates.putAll(this.templates);
		copy.protocolVersions = this.protocolVersions;
		copy.pageSize = this.pageSize;
		copy.caching = this.caching;
		copy.lostHeaders = this.lostHeaders;
		return copy;
	}

	Map<String, Object> initialization() {
		return this.initialization;
	}

	Map<String, Object> capabilities() {
		return this.capabilities;
	}

	Kind tools() {
		return this.tools;
	}

	Kind prompts() {
		this.capabilities.putIfAbsent("prompts", Map.of("listChanged", true));
		return this.prompts;
	}

	Kind resources() {
		this.capabilities.putIfAbsent("resources", Map.of("listChanged", true, "subscribe", true));
		return this.resources;
	}

	Kind templates() {
		resources();
		return this.templates;
	}

	void protocolVersions(List<String> versions) {
		this.protocolVersions = versions;
	}

	List<String> protocolVersions() {
		return this.protocolVersions;
	}

	void pageSize(int size) {
		this.pageSize = size;
	}

	Map<String, Object> caching() {
		return this.caching;
	}

	void caching(Map<String, Object> caching) {
		this.caching = caching;
	}

	void loseHeaders(String prefix) {
		this.lostHeaders = prefix;
	}

	boolean losesHeader(String name) {
		String prefix = this.lostHeaders;
		return prefix != null && name.regionMatches(true, 0, prefix, 0, prefix.length());
	}

	/**
	 * Whether the server supports only the stateless protocol.
	 */
	boolean isStateless() {
		return this.protocolVersions.stream().allMatch(StatelessProtocol::isStatelessVersion);
	}

	/**
	 * Whether a request is served by the stateless protocol.
	 */
	boolean isStateless(McpTestRequest request) {
		if (isStateless()) {
			return true;
		}
		if (this.protocolVersions.stream().noneMatch(StatelessProtocol::isStatelessVersion)) {
			return false;
		}
		String header = request.isHttp() ? request.header("MCP-Protocol-Version") : null;
		return !request.method().equals("initialize") && (!request.metaNode("protocolVersion").isMissingNode()
				|| (header != null && StatelessProtocol.isStatelessVersion(header)));
	}

	McpTestHandler handler(McpTestRequest request) {
		if (!request.isRequest()) {
			return new Script.Fixed(McpTestReply.status(202));
		}
		McpTestHandler unknown = new Script.Fixed(McpTestReply.error(-32601, "Method not found: " + request.method()));
		boolean stateless = request.isStateless();
		return switch (request.method()) {
			case "server/discover" -> stateless ? new Script.Fixed(discover()) : unknown;
			case "initialize" -> new Script.Fixed(initialize(request));
			case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe" ->
				stateless ? unknown : DONE;
			case "tools/list" -> new Script.Fixed(page(this.tools, request));
			case "prompts/list" -> new Script.Fixed(page(this.prompts, request));
			case "resources/list" -> new Script.Fixed(page(this.resources, request));
			case "resources/templates/list" -> new Script.Fixed(page(this.templates, request));
			case "tools/call" -> this.tools.handler(request.name(), -32602, "Unknown tool: ");
			case "prompts/get" -> this.prompts.handler(request.name(), -32602, "Unknown prompt: ");
			case "resources/read" -> read(request.name(), stateless ? -32602 : -32002);
			default -> unknown;
		};
	}

	private McpTestReply initialize(McpTestRequest request) {
		List<String> versions = this.protocolVersions.stream()
			.filter((version) -> !StatelessProtocol.isStatelessVersion(version))
			.toList();
		String version = String.valueOf(request.params().get("protocolVersion"));
		Map<String, Object> result = new LinkedHashMap<>(this.initialization);
		result.put("protocolVersion", versions.contains(version) ? version : versions.get(versions.size() - 1));
		result.put("capabilities", this.capabilities);
		return McpTestReply.result(result);
	}

	private McpTestReply discover() {
		Map<String, Object> result = new LinkedHashMap<>(this.initialization);
		Object serverInfo = result.remove("serverInfo");
		Map<String, Object> capabilities = new LinkedHashMap<>(this.capabilities);
		capabilities.remove("tasks");
		result.put("supportedVersions", this.protocolVersions);
		result.put("capabilities", capabilities);
		result.put("_meta", Map.of(McpTestRequest.META + "serverInfo", serverInfo));
		return McpTestReply.result(result);
	}

	private McpTestReply page(Kind kind, McpTestRequest request) {
		List<Object> all = kind.definitions();
		Object cursor = request.params().get("cursor");
		int from = (cursor != null) ? Integer.parseInt(cursor.toString()) : 0;
		int to = (int) Math.min(all.size(), (long) from + this.pageSize);
		Map<String, Object> page = new LinkedHashMap<>();
		page.put(kind.key, all.subList(Math.min(from, to), to));
		if (to < all.size()) {
			page.put("nextCursor", String.valueOf(to));
		}
		return McpTestReply.result(page);
	}

	private McpTestHandler read(String uri, int code) {
		McpTestHandler unknown = this.resources.handler(uri, code, "Resource not found: ");
		return this.resources.contains(uri) ? unknown
				: this.templates.entries()
					.stream()
					.filter((entry) -> entry.matches(uri))
					.findFirst()
					.map(Entry::handler)
					.orElse(unknown);
	}

	/**
	 * Tools, prompts, resources or templates of resources, in the order in which they
	 * were added.
	 */
	static final class Kind {

		private final String key;

		private final String identifier;

		private final Map<String, Entry> entries = new LinkedHashMap<>();

		Kind(String key, String identifier) {
			this.key = key;
			this.identifier = identifier;
		}

		synchronized void put(Object definition, McpTestHandler handler) {
			JsonNode json = Json.MAPPER.valueToTree(definition);
			String name = json.path(this.identifier).asString();
			this.entries.put(name, new Entry(name, definition, json, handler));
		}

		synchronized void putAll(Kind other) {
			other.entries().forEach((entry) -> this.entries.put(entry.name(), entry));
		}

		synchronized void remove(Collection<String> names) {
			this.entries.keySet().removeAll(names);
		}

		synchronized void replaceAll(Collection<?> definitions, McpTestHandler handler) {
			this.entries.clear();
			definitions.forEach((definition) -> put(definition, handler));
		}

		synchronized boolean contains(String name) {
			return this.entries.containsKey(name);
		}

		synchronized List<Entry> entries() {
			return new ArrayList<>(this.entries.values());
		}

		List<Object> definitions() {
			return entries().stream().map(Entry::definition).toList();
		}

		/**
		 * Return a listed definition, or a missing node for an unknown name.
		 */
		synchronized JsonNode definition(String name) {
			@Nullable Entry entry = this.entries.get(name);
			return (entry != null) ? entry.json() : MissingNode.getInstance();
		}

		synchronized McpTestHandler handler(String name, int code, String message) {
			@Nullable Entry entry = this.entries.get(name);
			return (entry != null) ? entry.handler() : new Script.Fixed(McpTestReply.error(code, message + name));
		}

	}

	/**
	 * A tool, prompt, resource or template of the server.
	 *
	 * @param name its name or URI
	 * @param definition the listed definition
	 * @param json the definition as JSON
	 * @param handler handles requests for it
	 */
	record Entry(String name, Object definition, JsonNode json, McpTestHandler handler) {

		boolean matches(String uri) {
			return uri.matches(
					Stream.of(this.name.split("\\{[^}]*}", -1)).map(Pattern::quote).collect(Collectors.joining(".+")));
		}

	}

}
