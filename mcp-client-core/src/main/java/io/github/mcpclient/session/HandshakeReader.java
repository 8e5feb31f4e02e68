package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.mcpclient.support.Printable;
import io.github.mcpclient.support.ProtocolRevisions;
import io.github.mcpclient.support.RevisionRefusal;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the answer to {@code initialize} or {@code server/discover}, without malformed
 * capabilities.
 *
 * @param versions the revisions that the client speaks, the oldest first
 */
record HandshakeReader(McpTransport transport, List<String> versions) {

	// what else a server says is not looked at: there may be any number of members

	private static final List<String> OPTIONAL = List.of("capabilities", "serverInfo", "instructions");

	private static final List<String> MEMBERS = List.of("protocolVersion", "capabilities", "serverInfo",
			"instructions");

	private static final List<String> CAPABILITIES = List.of("completions", "logging", "prompts", "resources", "tools");

	private static final List<String> INFO = List.of("name", "title", "version", "description", "icons", "websiteUrl");

	private static final int MAX_VERSIONS = 200;

	private static final int MAX_NAME = 256;

	private static final int MAX_LINE = 2000;

	private static final int MAX_ICON = 32 * 1024;

	private static final int MAX_ICONS = 8;

	private static final Pattern WEBSITE = Pattern.compile("(?i)https?://[!-~]++");

	private static final Pattern ICON = Pattern.compile("(?i)(https?://|data:image/)[!-~]++");

	private static final int MAX_INSTRUCTIONS = 64 * 1024;

	ServerDescription read(Object result) {
		InitializeResult answer = Json.answer(this.transport, result, McpSchema.METHOD_INITIALIZE,
				HandshakeReader::bind);
		String version = answer.protocolVersion();
		if (version.isEmpty()) {
			throw new SessionProtocolException("The server's answer to initialize names no protocol revision",
					"Update the server, or check its log.", null);
		}
		if (!this.versions.contains(version)) {
			throw noCommonRevision(List.of(version), "");
		}
		return ServerDescription
			.of(version, printable(answer.serverInfo()), answer.capabilities(),
					(answer.instructions() != null) ? Printable.lines(answer.instructions(), MAX_INSTRUCTIONS) : null)
			.with(tasks(result));
	}

	/**
	 * Reads the answer to {@code server/discover}.
	 */
	ServerDescription readDiscovery(Object result) {
		return Json.answer(this.transport, result, ProtocolNames.DISCOVER, (answer) -> {
			List<String> supported = revisions(answer.get("supportedVersions"));
			if (supported.isEmpty()) {
				throw new SessionProtocolException("The server's answer to server/discover names no protocol revision",
						"Update the server, or check its log.", null);
			}
			if (!supported.contains(ProtocolRevisions.STATELESS)) {
				throw noCommonRevision(supported, "");
			}
			Map<String, Object> meta = Json.objectOrNull(answer.get("_meta"));
			Map<String, Object> info = (meta != null) ? Json.objectOrNull(meta.get(ProtocolNames.PREFIX + "serverInfo"))
					: null;
			ServerCapabilities offered = capabilities(Json.objectOrNull(answer.get("capabilities")));
			Map<String, Object> named = (info != null) ? Json.members(info, INFO) : Map.of();
			return ServerDescription
				.of(ProtocolRevisions.STATELESS, printable(Json.convert(named, Implementation.class, INFO)),
						(offered != null) ? offered : ServerCapabilities.builder().build(),
						(answer.get("instructions") instanceof String text) ? Printable.lines(text, MAX_INSTRUCTIONS)
								: null)
				.with(announced(answer.get("capabilities")));
		});
	}

	private static List<String> announced(@Nullable Object capabilities) {
		return (capabilities instanceof Map<?, ?> map) ? Json.members(map, CAPABILITIES)
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() instanceof Map<?, ?> details
					&& Boolean.TRUE.equals(details.get("listChanged")))
			.map((entry) -> entry.getKey() + ".listChanged")
			.toList() : List.of();
	}

	private static List<String> tasks(Object result) {
		Object calls = Json.at(result, "capabilities", "tasks", "requests", "tools", "call");
		return (calls instanceof Map || (calls instanceof JsonNode node && node.isObject()))
				? List.of(ProtocolNames.TASKS) : List.of();
	}

	private static List<String> revisions(@Nullable Object supported) {
		return (supported instanceof List<?> list)
				? list.stream().filter(String.class::isInstance).map(String.class::cast).toList() : List.of();
	}

	private static InitializeResult bind(Map<String, Object> answer) {
		Map<String, Object> value = Json.members(answer, MEMBERS);
		value.computeIfPresent("capabilities", (name, map) -> capabilities(Json.objectOrNull(map)));
		value.computeIfPresent("serverInfo",
				(name, info) -> (info instanceof Map<?, ?> map) ? Json.members(map, INFO) : info);
		return Json.convert(value, InitializeResult.class, OPTIONAL);
	}

	private static @Nullable ServerCapabilities capabilities(@Nullable Map<String, Object> capabilities) {
		return (capabilities != null)
				? Json.convert(Json.members(capabilities, CAPABILITIES), ServerCapabilities.class, CAPABILITIES) : null;
	}

	private static Implementation printable(Implementation info) {
		return new Implementation(Printable.line(info.name(), MAX_NAME), printable(info.title(), MAX_NAME),
				Printable.line(info.version(), MAX_NAME), printable(info.description(), MAX_LINE), icons(info.icons()),
				isUrl(info.websiteUrl(), WEBSITE, MAX_LINE) ? info.websiteUrl() : null);
	}

	// what a browser would run, or load without end, is left out
	private static @Nullable List<Icon> icons(@Nullable List<Icon> icons) {
		return (icons != null) ? icons.stream()
			.filter((icon) -> icon != null && isUrl(icon.src(), ICON, MAX_ICON))
			.limit(MAX_ICONS)
			.map(HandshakeReader::printable)
			.toList() : null;
	}

	private static Icon printable(Icon icon) {
		List<String> sizes = icon.sizes();
		return new Icon(
				icon.src(), printable(icon.mimeType(), MAX_NAME), (sizes != null)
						? sizes.stream().limit(MAX_ICONS).map((size) -> Printable.line(size, MAX_NAME)).toList() : null,
				printable(icon.theme(), MAX_NAME));
	}

	private static boolean isUrl(@Nullable String url, Pattern allowed, int limit) {
		return url != null && url.length() <= limit && allowed.matcher(url).matches();
	}

	private static @Nullable String printable(@Nullable String text, int limit) {
		return (text != null) ? Printable.line(text, limit) : null;
	}

	/**
	 * Returns the revisions that a server names where it refuses the requested one.
	 */
	List<String> supportedRevisions(McpError refusal) {
		JSONRPCError error = refusal.getJsonRpcError();
		if (error.data() == null || !RevisionRefusal.isCode(error.code())) {
			return List.of();
		}
		try {
			Map<String, Object> data = Json.object(this.transport, error.data(), "The data of the server's error");
			return revisions(data.get("supported"));
		}
		catch (SessionProtocolException ex) {
			return List.of();
		}
	}

	/**
	 * Returns the newest revision that both sides speak.
	 * @throws SessionProtocolException if there is none
	 */
	String newestOf(List<String> supported, String refused) {
		return this.versions.stream()
			.filter((version) -> supported.contains(version) && !version.equals(refused))
			.reduce((older, newer) -> newer)
			.orElseThrow(() -> noCommonRevision(supported, ""));
	}

	SessionProtocolException noCommonRevision(List<String> supported, String details) {
		return new NoCommonRevisionException(
				"The server speaks protocol revision " + Printable.line(String.join(", ", supported), MAX_VERSIONS)
						+ ", this client " + String.join(", ", this.versions) + details,
				supported);
	}

}
