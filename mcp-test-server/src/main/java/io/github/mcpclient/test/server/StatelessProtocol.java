package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The requirements of protocol version 2026-07-28 for requests and results.
 */
final class StatelessProtocol {

	private static final Pattern VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

	private static final Map<Integer, Integer> STATUS = Map.of(-32601, 404, -32020, 400, -32021, 400, -32022, 400);

	private static final Set<String> CACHEABLE = Set.of("server/discover", "tools/list", "prompts/list",
			"resources/list", "resources/templates/list", "resources/read");

	private StatelessProtocol() {
	}

	static boolean isStatelessVersion(String version) {
		return VERSION.matcher(version).matches() && version.compareTo("2026-07-28") >= 0;
	}

	/**
	 * Return the error for an invalid request, otherwise {@code null}.
	 */
	static @Nullable McpTestReply refusal(McpTestRequest request, Contents contents) {
		if (!request.isRequest()) {
			return null;
		}
		String version = request.metaNode("protocolVersion").asString("");
		if (request.method().equals("initialize")) {
			return unsupported(String.valueOf(request.params().get("protocolVersion")), contents);
		}
		if (request.isHttp() && request.header("MCP-Protocol-Version") == null) {
			return McpTestReply.error(-32020, "Header mismatch: MCP-Protocol-Version is missing");
		}
		if (version.isEmpty() || !request.metaNode("clientCapabilities").isObject()) {
			return invalid(request, "Without protocolVersion or clientCapabilities in _meta");
		}
		String mismatch = request.isHttp() ? HeaderCheck.mismatch(request, version, contents) : null;
		if (mismatch != null) {
			return McpTestReply.error(-32020, "Header mismatch: " + mismatch);
		}
		if (!isStatelessVersion(version) || !contents.protocolVersions().contains(version)) {
			return unsupported(version, contents);
		}
		JsonNode level = request.metaNode("logLevel");
		if (!level.isMissingNode() && !McpTestRequest.LOG_LEVELS.contains(level.asString(""))) {
			return invalid(request, "No log level: " + level);
		}
		return missing(request, MissingNode.getInstance(), request.method().startsWith("tasks/"));
	}

	private static McpTestReply invalid(McpTestRequest request, String message) {
		McpTestReply error = McpTestReply.error(-32602, message);
		return request.isHttp() ? error.withStatus(400) : error;
	}

	private static McpTestReply unsupported(String version, Contents contents) {
		return McpTestReply.error(-32022, "Unsupported protocol version: " + version,
				Map.of("supported", contents.protocolVersions(), "requested", version));
	}

	/**
	 * Return the error for a reply that requires capabilities which the client has not
	 * declared, otherwise {@code null}.
	 */
	static @Nullable McpTestReply missing(McpTestRequest request, JsonNode inputRequests, boolean task) {
		JsonNode declared = request.metaNode("clientCapabilities");
		Map<String, Object> missing = new LinkedHashMap<>();
		inputRequests.forEach((question) -> {
			String name = question.path("method").asString("").replaceFirst("/.*", "");
			boolean url = question.path("params").path("mode").asString("").equals("url");
			if (!declared.has(name) || (url && !declared.path(name).has("url"))) {
				missing.put(name, url ? Map.of("url", Map.of()) : Map.of());
			}
		});
		if (task && !declared.path("extensions").has(Tasks.EXTENSION)) {
			missing.put("extensions", Map.of(Tasks.EXTENSION, Map.of()));
		}
		return missing.isEmpty() ? null : McpTestReply.error(-32021, "Missing required client capability",
				Map.of("requiredCapabilities", missing));
	}

	/**
	 * Add the required properties of this protocol version to a reply.
	 */
	static McpTestReply complete(McpTestReply reply, McpTestRequest request, Contents contents) {
		Integer status = (request.isHttp() && reply.error().get("code") instanceof Integer code) ? STATUS.get(code)
				: null;
		if (status != null) {
			return reply.withStatus(reply.statusOr(status));
		}
		return reply.withResult((result) -> {
			result.putIfAbsent("resultType", Json.MAPPER.valueToTree("complete"));
			if (CACHEABLE.contains(request.method()) && result.path("resultType").asString("").equals("complete")) {
				contents.caching().forEach((name, value) -> result.putIfAbsent(name, Json.MAPPER.valueToTree(value)));
			}
		});
	}

}
