package io.github.mcpclient.internal.registry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerOrigin.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that follows another one. Its servers are compared with the previous
 * configuration, rather than with changes by code: a server that code has disabled or
 * removed stays so.
 *
 * @param before the previously configured servers, by name
 * @param next the configured servers, by name
 * @param different the configured servers that are new, or have another definition
 */
record Reconfiguration(Map<String, DefinedServer> before, Map<String, DefinedServer> next,
		List<DefinedServer> different) {

	/**
	 * Compare two configurations.
	 * @throws InvalidMcpConfigurationException if a server can never be connected, and
	 * this is a new error
	 */
	static Reconfiguration of(Map<String, DefinedServer> before, List<DefinedServer> servers) {
		Map<String, DefinedServer> next = configured(servers);
		List<DefinedServer> different = next.values()
			.stream()
			.filter((server) -> !isSame(before.get(server.name()), server))
			.toList();
		List<Problem> problems = different.stream()
			.filter(DefinedServer::isFailed)
			.flatMap((server) -> server.problems().stream())
			.toList();
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(problems);
		}
		return new Reconfiguration(before, next, different);
	}

	/**
	 * Return the servers that are not defined by code, by name.
	 */
	static Map<String, DefinedServer> configured(List<DefinedServer> servers) {
		Map<String, DefinedServer> byName = new LinkedHashMap<>();
		servers.stream()
			.filter((server) -> isConfigured(server.origin()))
			.forEach((server) -> byName.put(server.name(), server));
		return byName;
	}

	static boolean isConfigured(McpServerOrigin origin) {
		return origin.kind() == Kind.CONFIGURED || origin.kind() == Kind.IMPORTED;
	}

	// the location of an error may have moved
	private static boolean isSame(@Nullable DefinedServer before, DefinedServer server) {
		return before != null && before.problems().isEmpty() == server.problems().isEmpty()
				&& before.definition().equals(server.definition());
	}

	Stream<String> removed() {
		return this.before.keySet().stream().filter((name) -> !this.next.containsKey(name));
	}

}
