package io.github.mcpclient.rules;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;

/**
 * The transport type of a server.
 *
 * @param name the type in its canonical spelling
 * @param decidedBy the setting that says so: {@code type}, or the one that it was
 * inferred from
 */
public record ServerType(String name, String decidedBy) {

	private static final List<String> HTTP_SCHEMES = List.of("http", "https");

	private static final Map<String, List<String>> SCHEMES = Map.of(McpServerDefinition.STREAMABLE_HTTP, HTTP_SCHEMES,
			McpServerDefinition.SSE, HTTP_SCHEMES, McpServerDefinition.WEBSOCKET, List.of("ws", "wss"));

	/**
	 * Creates a type that is given as such.
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
	 * Returns whether such a server is a child process.
	 */
	public boolean isStdio() {
		return this.name.equals(McpServerDefinition.STDIO);
	}

	/**
	 * Returns whether such a server is reached over HTTP.
	 */
	public boolean isHttp() {
		return SCHEMES.containsKey(this.name);
	}

	/**
	 * Returns whether the type was inferred.
	 */
	public boolean inferred() {
		return !this.decidedBy.equals("type");
	}

	/**
	 * Says that a setting is not for this type.
	 */
	public String misplaced() {
		return "This is for " + (isStdio() ? "servers that are reached over HTTP" : "child processes")
				+ ", but the type is " + this + ".";
	}

	List<String> schemes() {
		// nothing is known of the urls of types that applications add
		return SCHEMES.getOrDefault(this.name, List.of());
	}

	@Override
	public String toString() {
		return this.name + (inferred() ? " (inferred from its " + this.decidedBy + ")" : "");
	}

}
