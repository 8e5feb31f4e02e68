package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.TaskSupport;
import io.github.mcpclient.tool.ToolNamer.UnusableNameException;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Which tools of one server the application gets, and under which names. A verdict
 * follows from configuration and tool alone.
 */
final class ServerRules {

	private final boolean enabled;

	private final ToolNamer namer;

	private final AccessRule access;

	private final AccessRule globalAccess;

	private final ToolFilter filter;

	private final ToolFilter globalFilter;

	private final Set<String> otherHeads;

	/**
	 * Create the rules.
	 * @param server the server
	 * @param settings the rules for all servers
	 * @param globalFilter the filter of these
	 * @param servers all servers
	 * @throws IllegalArgumentException if the server has a pattern that is not one
	 */
	ServerRules(McpServerDefinition server, ToolSettings settings, ToolFilter globalFilter,
			Collection<McpServerDefinition> servers) {
		this.enabled = server.tools().enabled();
		this.namer = new ToolNamer(server, settings.naming());
		this.access = new AccessRule("tools", server.tools().policy());
		this.globalAccess = new AccessRule("mcp.tools", settings.policy());
		this.filter = ToolFilter.of("mcp.servers." + server.name() + ".tools.filter", server.tools().filter());
		this.globalFilter = globalFilter;
		this.otherHeads = otherHeads(server, servers);
	}

	private static Set<String> otherHeads(McpServerDefinition server, Collection<McpServerDefinition> servers) {
		Set<String> heads = new HashSet<>();
		servers.forEach((other) -> heads.add(ToolNaming.head(other)));
		heads.remove(ToolNaming.head(server));
		heads.remove("");
		return heads;
	}

	/**
	 * Return whether other rules for the same definition come to the same verdicts: they
	 * differ in what other servers there are.
	 * @param other the other rules
	 * @return whether there is no difference
	 */
	boolean isLike(ServerRules other) {
		return this.otherHeads.equals(other.otherHeads);
	}

	/**
	 * Name a tool.
	 * @param tool the tool
	 * @return its names
	 * @throws UnusableNameException if it cannot be named
	 */
	ToolNames name(Tool tool) throws UnusableNameException {
		String original = tool.name();
		return new ToolNames(this.namer.name(tool), original, this.otherHeads.stream().anyMatch(original::startsWith));
	}

	/**
	 * Return why a tool is left out.
	 * @param names the names of the tool
	 * @param tool the tool
	 * @return the reason, or {@code null} if the application gets it
	 */
	@Nullable String refusal(ToolNames names, Tool tool) {
		if (!this.enabled) {
			return "tools.enabled is false";
		}
		if (TaskSupport.isRequired(tool)) {
			return "it can be run as a task only (execution.taskSupport: required), which is not supported";
		}
		String refusal = this.globalAccess.refusal(tool.annotations());
		if (refusal == null) {
			refusal = this.access.refusal(tool.annotations());
		}
		if (refusal == null) {
			refusal = this.globalFilter.refusal(names);
		}
		return (refusal != null) ? refusal : this.filter.refusal(names);
	}

	/**
	 * Return the patterns of the server's filter that are misspelt, it seems.
	 * @param tools the names of all tools that the server offers
	 * @return the patterns without wildcards that match none
	 */
	Collection<String> unmatched(Collection<ToolNames> tools) {
		return this.filter.unmatched(tools);
	}

}
