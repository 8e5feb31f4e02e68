package io.github.mcpclient.internal.tool;

import java.util.Collection;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.support.PropertyNames;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tools of one server the application gets, and under which names.
 */
record ToolAdmission(ToolNamer namer, ToolSettings settings, ToolFilter globalFilter, ToolFilter filter) {

	static ToolAdmission of(McpServerDefinition server, ToolSettings settings, ToolFilter globalFilter,
			ToolNamePrefixes prefixes) {
		return new ToolAdmission(new ToolNamer(server, settings.naming(), prefixes), settings, globalFilter,
				ToolFilter.of(PropertyNames.ofServer(server.name(), "tools.filter"), server.tools().filter()));
	}

	/**
	 * Return whether the same rules among other servers come to the same result for these
	 * tools.
	 */
	boolean agreesWith(ToolAdmission other, Collection<ToolNames> offered) {
		return this.namer.prefixes() == other.namer.prefixes() || offered.stream()
			.allMatch((names) -> names.misleading() == other.namer.isMisleading(names.original()));
	}

	/**
	 * Return why the application does not get a tool, or {@code null} if it does.
	 */
	@Nullable String refusal(ToolNames names, Tool tool) {
		Tools settings = this.namer.server().tools();
		if (!settings.enabled()) {
			return "tools.enabled is false";
		}
		String refusal = refusal("mcp.tools", this.settings.policy(), tool.annotations());
		if (refusal == null) {
			refusal = refusal("tools", settings.policy(), tool.annotations());
		}
		if (refusal == null) {
			refusal = this.globalFilter.refusal(names);
		}
		return (refusal != null) ? refusal : this.filter.refusal(names);
	}

	/**
	 * Return why a policy, configured at a property, excludes tools with these hints.
	 */
	static @Nullable String refusal(String property, McpToolPolicy policy, @Nullable ToolAnnotations hints) {
		Boolean readOnly = (hints != null) ? hints.readOnlyHint() : null;
		Boolean destructive = (hints != null) ? hints.destructiveHint() : null;
		Boolean openWorld = (hints != null) ? hints.openWorldHint() : null;
		if (policy.access() == McpToolAccess.NO_WRITE && Boolean.FALSE.equals(readOnly)) {
			return property + ".access is no-write and the tool says readOnlyHint: false";
		}
		if (policy.access() == McpToolAccess.READ_ONLY && !Boolean.TRUE.equals(readOnly)) {
			return property + ".access is read-only and the tool does not say readOnlyHint: true";
		}
		if (!policy.allowDestructive() && Boolean.TRUE.equals(destructive)) {
			return property + ".allow-destructive is false and the tool says destructiveHint: true";
		}
		if (!policy.allowDestructive() && destructive == null && !Boolean.TRUE.equals(readOnly)) {
			return property + ".allow-destructive is false and the tool says neither destructiveHint: false"
					+ " nor readOnlyHint: true";
		}
		if (!policy.allowOpenWorld() && !Boolean.FALSE.equals(openWorld)) {
			return property + ".allow-open-world is false and the tool "
					+ ((openWorld != null) ? "says openWorldHint: true" : "does not say openWorldHint: false");
		}
		return null;
	}

}
