package io.github.mcpclient.internal.validation;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of configured servers, validated as in an application.
 */
public final class ValidatedDefinitions {

	private ValidatedDefinitions() {
	}

	public static List<McpServerDefinition> of(Collection<Set<String>> types, @Nullable List<String> allowed,
			McpServerDefinitions.Configured servers, String... authTypes) {
		return new McpServerDefinitions(types, allowed, Set.of(authTypes), List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> true, (definition) -> null)
			.of(servers, List.of(), List.of())
			.stream()
			.map(DefinedServer::definition)
			.toList();
	}

}
