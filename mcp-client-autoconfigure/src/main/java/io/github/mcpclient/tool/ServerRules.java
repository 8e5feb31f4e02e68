package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.TaskSupport;
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

	private final ServerHeads heads;

	private final String head;

	/**
	 * Create the rules.
	 * @param server the server
	 * @param settings the rules for all servers
	 * @param globalFilter the filter of these
	 * @param heads what the names of all servers' tools begin with
	 * @throws IllegalArgumentException if the server has a pattern that is not one
	 */
	ServerRules(McpServerDefinition server, ToolSettings settings, ToolFilter globalFilter, ServerHeads heads) {
		this.enabled = server.tools().enabled();
		this.namer = new ToolNamer(server, settings.naming(), heads);
		this.access = new AccessRule("tools", server.tools().policy());
		this.globalAccess = new AccessRule("mcp.tools", settings.policy());
		this.filter = ToolFilter.of("mcp.servers." + server.name() + ".tools.filter", server.tools().filter());
		this.globalFilter = globalFilter;
		this.heads = heads;
		this.head = ToolNaming.head(server);
	}

	/**
	 * Return whether other rules for the same definition come to the same verdicts on
	 * tools that have their names: they differ in what other servers there are.
	 * @param other the other rules
	 * @param offered the names of the tools
	 * @return whether there is no difference
	 */
	boolean isLike(ServerRules other, Collection<ToolNames> offered) {
		return this.heads == other.heads
				|| offered.stream().allMatch((names) -> names.misleading() == other.isMisleading(names.original()));
	}

	/**
	 * Return what the names of the server's tools begin with.
	 */
	String head() {
		return this.head;
	}

	private boolean isMisleading(String original) {
		return this.heads.isOfOther(original, this.head);
	}

	/**
	 * Return the names that more than one tool would have.
	 * @param tools all tools of the server
	 * @return the names
	 */
	Set<String> sharedNames(List<Tool> tools) {
		return this.namer.shared(tools);
	}

	/**
	 * Name a tool.
	 * @param tool the tool
	 * @param shared the names that more than one tool of the server would have
	 * @param present the present names of the tool, or {@code null} for none
	 * @param same whether tool and server are as they were when it got them
	 * @return its names
	 * @throws UnusableNameException if it cannot be named
	 */
	ToolNames name(Tool tool, Set<String> shared, @Nullable ToolNames present, boolean same)
			throws UnusableNameException {
		if (present != null && same && this.namer.isOfStrategy()) {
			return new ToolNames(present.prefixed(), tool.name(), isMisleading(tool.name()));
		}
		String name = this.namer.name(tool, shared, (present != null) ? present.prefixed() : null);
		return new ToolNames(name, tool.name(), isMisleading(tool.name()));
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
