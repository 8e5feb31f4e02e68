package io.github.mcpclient.internal.validation;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * The transport types that can be configured, with all their spellings.
 */
public final class TransportTypes {

	private final Map<String, String> canonical = new LinkedHashMap<>();

	private final @Nullable List<String> allowed;

	/**
	 * Create an instance.
	 * @param types the spellings of each type, the canonical one first
	 * @param allowed the allowed types of servers, in any spelling, or {@code null} for
	 * all
	 */
	public TransportTypes(Collection<Set<String>> types, @Nullable List<String> allowed) {
		for (Set<String> spellings : types) {
			for (String spelling : spellings) {
				this.canonical.putIfAbsent(PropertyNames.uniform(spelling), spellings.iterator().next());
			}
		}
		this.allowed = (allowed != null)
				? allowed.stream().map((type) -> Objects.requireNonNullElse(find(type), type)).toList() : null;
	}

	/**
	 * Reject an empty list of allowed types, and types that do not exist.
	 */
	public void check(@Nullable List<String> allowed, Consumer<String> reject) {
		if (allowed != null && allowed.isEmpty()) {
			reject.accept("The list is empty. Remove the property to allow all types, or set mcp.enabled to false.");
		}
		for (String type : (allowed != null) ? allowed : List.<String>of()) {
			if (find(type) == null) {
				reject.accept(unknown(type));
			}
		}
	}

	/**
	 * Return why a type is not allowed, or {@code null} if it is allowed.
	 */
	public @Nullable String refusal(ServerType type) {
		return (this.allowed == null || this.allowed.contains(type.name())) ? null
				: "The type is " + type + ", and mcp.transports allows " + String.join(", ", this.allowed) + " only.";
	}

	/**
	 * Return the canonical spelling of a type, or {@code null} if it is unknown.
	 */
	public @Nullable String find(String type) {
		return this.canonical.get(PropertyNames.uniform(type.strip()));
	}

	/**
	 * Return a message that a type is unknown.
	 */
	public String unknown(String type) {
		List<String> nearest = NearestNames.of(PropertyNames.uniform(type.strip()), this.canonical.keySet());
		String suggestion = nearest.isEmpty() ? "" : "Did you mean " + this.canonical.get(nearest.get(0)) + "? ";
		return "There is no such transport type. " + suggestion + "The types are "
				+ String.join(", ", new TreeSet<>(this.canonical.values())) + ".";
	}

	/**
	 * The transport type of a server.
	 *
	 * @param name the type in its canonical spelling
	 * @param decidedBy the setting that determines the type: {@code type}, or the setting
	 * that it was inferred from
	 */
	public record ServerType(String name, String decidedBy) {

		private static final List<String> HTTP_SCHEMES = List.of("http", "https");

		private static final Map<String, List<String>> SCHEMES = Map.of(McpServerDefinition.STREAMABLE_HTTP,
				HTTP_SCHEMES, McpServerDefinition.SSE, HTTP_SCHEMES, McpServerDefinition.WEBSOCKET,
				List.of("ws", "wss"));

		/**
		 * Create a type that was specified explicitly.
		 */
		public ServerType(String name) {
			this(name, "type");
		}

		static ServerType of(McpServerDefinition definition, String name) {
			boolean ofPackage = definition.stdio() != null && definition.stdio().packageName() != null;
			return !definition.typeInferred() ? new ServerType(name) : new ServerType(name,
					!name.equals(McpServerDefinition.STDIO) ? "url" : ofPackage ? "package" : "command");
		}

		/**
		 * Return whether a server of this type is a child process.
		 */
		public boolean isStdio() {
			return this.name.equals(McpServerDefinition.STDIO);
		}

		/**
		 * Return whether a server of this type uses HTTP.
		 */
		public boolean isHttp() {
			return SCHEMES.containsKey(this.name);
		}

		/**
		 * Return whether the type was inferred.
		 */
		public boolean inferred() {
			return !this.decidedBy.equals("type");
		}

		/**
		 * Return a message that a setting does not apply to this type.
		 */
		public String misplaced() {
			return "This is for " + (isStdio() ? "servers that are reached over HTTP" : "child processes")
					+ ", but the type is " + this + ".";
		}

		List<String> schemes() {
			// the URL schemes of types that applications add are unknown
			return SCHEMES.getOrDefault(this.name, List.of());
		}

		@Override
		public String toString() {
			return this.name + (inferred() ? " (inferred from its " + this.decidedBy + ")" : "");
		}

	}

}
