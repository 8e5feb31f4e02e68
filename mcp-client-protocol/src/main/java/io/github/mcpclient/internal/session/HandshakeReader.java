package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.ProtocolRevisions.Refusal;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Reads the response to {@code initialize} or {@code server/discover}, without malformed
 * capabilities.
 *
 * @param versions the protocol versions that the client supports, the oldest first
 * @param setting the configured protocol versions
 * @param listener receives the deviations
 */
record HandshakeReader(McpTransport transport, List<String> versions, String setting, McpSession.Listener listener) {

	// other members of a server's response are ignored: there may be any number of them

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
		return Json.answer(this.transport, result, McpSchema.METHOD_INITIALIZE, (members) -> {
			InitializeResult answer = bind(members);
			ServerDescription server = ServerDescription.of(meant(answer.protocolVersion()),
					printable(answer.serverInfo()), answer.capabilities(),
					(answer.instructions() != null) ? Printable.lines(answer.instructions(), MAX_INSTRUCTIONS) : null);
			return withOffered(server, members.get("capabilities")).with(tasks(result));
		});
	}

	private String meant(String version) {
		if (version.isEmpty()) {
			throw new SessionProtocolException("The server's response to initialize has no protocol version",
					"Update the server, or check its log.", null);
		}
		if (this.versions.contains(version)) {
			return version;
		}
		List<String> named = ProtocolRevisions.namedIn(version);
		if (named.size() != 1 || !this.versions.contains(named.get(0))) {
			throw noCommonRevision(List.of(version), "");
		}
		this.listener.deviation(Kind.PROTOCOL_VERSION, "It names its protocol version as " + version);
		return named.get(0);
	}

	// a capability that is present in any form counts as offered
	private ServerDescription withOffered(ServerDescription server, @Nullable Object given) {
		Stream<?> names = (given instanceof Map<?, ?> map)
				? map.entrySet()
					.stream()
					.filter((entry) -> entry.getValue() != null && !Boolean.FALSE.equals(entry.getValue()))
					.map(Map.Entry::getKey)
				: (given instanceof List<?> list) ? list.stream() : Stream.ofNullable(given);
		Set<String> offered = names
			.flatMap((name) -> Stream.of(Printable.line(String.valueOf(name), MAX_NAME).split("\\.")))
			.filter(CAPABILITIES::contains)
			.collect(Collectors.toSet());
		if (!server.capabilities().containsAll(offered)) {
			this.listener.deviation(Kind.CAPABILITIES,
					"Its capabilities are " + Printable.line(Json.text(given), MAX_VERSIONS));
		}
		return server.with(offered);
	}

	/**
	 * Read the response to {@code server/discover}.
	 */
	ServerDescription readDiscovery(Object result) {
		return Json.answer(this.transport, result, ProtocolNames.DISCOVER, (members) -> {
			List<String> supported = revisions(members.get("supportedVersions"));
			if (supported.isEmpty()) {
				throw new SessionProtocolException("The server's response to server/discover has no protocol version",
						"Update the server, or check its log.", null);
			}
			if (!supported.contains(ProtocolRevisions.STATELESS)) {
				throw noCommonRevision(supported, "");
			}
			Object info = Json.at(members, "_meta", ProtocolNames.PREFIX + "serverInfo");
			ServerCapabilities offered = capabilities(Json.objectOrNull(members.get("capabilities")));
			Map<String, Object> named = (info instanceof Map<?, ?> map) ? Json.members(map, INFO) : Map.of();
			ServerDescription server = ServerDescription.of(ProtocolRevisions.STATELESS,
					printable(Json.convert(named, Implementation.class, INFO)),
					(offered != null) ? offered : ServerCapabilities.builder().build(),
					(members.get("instructions") instanceof String text) ? Printable.lines(text, MAX_INSTRUCTIONS)
							: null);
			return withOffered(server, members.get("capabilities")).with(announced(members.get("capabilities")));
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

	// excludes icons that a browser would execute or load without end
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
	 * Return the protocol versions that a server lists when it refuses the requested one.
	 */
	List<String> supportedRevisions(Throwable refusal) {
		Object details = (refusal instanceof McpError error) ? error.getJsonRpcError().data() : null;
		if (details == null) {
			return List.of();
		}
		try {
			Map<String, Object> data = Json.object(this.transport, details, "The data of the server's error");
			return revisions(data.get("supported"));
		}
		catch (SessionProtocolException ex) {
			return List.of();
		}
	}

	/**
	 * Return the protocol version for the next {@code initialize} after a refusal: the
	 * newest one that the server lists as supported or names in its message, else any
	 * other.
	 * @param tried the refused protocol versions
	 * @return the protocol version, or the failure if no other version is left or the
	 * cause is another
	 */
	Mono<String> other(Throwable refusal, Set<String> tried) {
		List<String> supported = supportedRevisions(refusal);
		String words = supported.isEmpty() ? words(refusal) : null;
		List<String> named = (words != null) ? ProtocolRevisions.namedIn(words) : supported;
		String other = this.versions.stream()
			.filter((version) -> !tried.contains(version) && (words != null || named.contains(version)))
			.reduce(null, (older, newer) -> (named.contains(older) && !named.contains(newer)) ? older : newer);
		if (other != null) {
			return Mono.just(other);
		}
		String refused = tried.stream().filter(supported::contains).collect(Collectors.joining(", "));
		return Mono.error(supported.isEmpty() ? refusal
				: noCommonRevision(supported, refused.isEmpty() ? "" : ", but the server refused " + refused));
	}

	// returns the text of a refusal of a protocol version, or null if something else
	// failed
	private @Nullable String words(Throwable refusal) {
		if (refusal instanceof McpError answer) {
			JSONRPCError error = answer.getJsonRpcError();
			return Refusal.isMeant(error.code(), error.message()) ? error.message() + " " + error.data() : null;
		}
		return (refusal instanceof HttpStatusException answer
				&& Refusal.nextStep(this.setting).equals(answer.getNextStep())) ? answer.getMessage() : null;
	}

	/**
	 * Record that the server accepted another protocol version after it had refused one.
	 */
	void refused(String version, Throwable refusal) {
		if (supportedRevisions(refusal).isEmpty()) {
			this.listener.deviation(Kind.PROTOCOL_VERSION, "It refuses " + version + ": " + EraDetection.text(refusal));
		}
	}

	SessionProtocolException noCommonRevision(List<String> supported, String details) {
		boolean excluded = !this.setting.equals(ProtocolRevisions.AUTO)
				&& ProtocolRevisions.ALL.stream().anyMatch(supported::contains);
		return new NoCommonRevisionException(
				"The server supports protocol version " + Printable.line(String.join(", ", supported), MAX_VERSIONS)
						+ ", the client supports " + String.join(", ", this.versions) + details,
				excluded ? "Set its protocol to auto."
						: "Use versions of the server and the client that share a protocol version.",
				supported);
	}

}
