package io.github.mcpclient.tool;

import java.util.Collection;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.TaskSupport;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Which tools of one server the application gets, and under which names.
 */
record ServerRules(boolean enabled, ToolNamer namer, AccessRule globalAccess, AccessRule access,
		ToolFilter globalFilter, ToolFilter filter) {

	static ServerRules of(McpServerDefinition server, ToolSettings settings, ToolFilter globalFilter,
			ServerHeads heads) {
		return new ServerRules(server.tools().enabled(), new ToolNamer(server, settings.naming(), heads),
				new AccessRule("mcp.tools", settings.policy()), new AccessRule("tools", server.tools().policy()),
				globalFilter, ToolFilter.of("mcp.servers." + server.name() + ".tools.filter", server.tools().filter()));
	}

	/**
	 * Return whether rules that differ in what other servers there are judge these tools
	 * alike.
	 */
	boolean judgesLike(ServerRules other, Collection<ToolNames> offered) {
		return this.namer.heads() == other.namer.heads() || offered.stream()
			.allMatch((names) -> names.misleading() == other.namer.isMisleading(names.original()));
	}

	/**
	 * Return why the application does not get a tool, or {@code null} if it does.
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

}
