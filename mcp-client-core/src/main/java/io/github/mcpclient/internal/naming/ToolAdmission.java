package io.github.mcpclient.internal.naming;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.naming.ToolNamer.UnusableNameException;
import io.github.mcpclient.internal.support.PropertyNames;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tools of one server the application gets, and their names.
 */
public record ToolAdmission(ToolNamer namer, McpToolPolicy policy, ToolFilter globalFilter, ToolFilter filter) {

	/**
	 * Create the rules of a server.
	 * @param policy the policy of all servers
	 * @param globalFilter the filter of all servers
	 */
	public static ToolAdmission of(McpServerDefinition server, ToolNaming naming, McpToolPolicy policy,
			ToolFilter globalFilter) {
		return new ToolAdmission(new ToolNamer(server, naming), policy, globalFilter,
				ToolFilter.of(PropertyNames.ofServer(server.name(), "tools.filter"), server.tools().filter()));
	}

	/**
	 * Return whether the names of another server begin with the same prefix.
	 */
	public boolean hasPrefixOf(McpServerDefinition server) {
		return ToolNamer.prefix(server).equals(this.namer.prefix());
	}

	/**
	 * Return whether the names were created for the same set of servers.
	 */
	public boolean isBy(ToolNaming naming) {
		return this.namer.naming() == naming;
	}

	/**
	 * Return the default names that more than one tool would have.
	 */
	public Set<String> shared(List<Tool> tools) {
		return this.namer.shared(tools);
	}

	/**
	 * Name a tool, which may already have names. Return {@code null} if it cannot be
	 * named.
	 * @param shared the result of {@link #shared}
	 * @param unchanged whether tool and server are the same as for the present names
	 * @param unusable receives the reason to be shown
	 */
	public @Nullable ToolNames name(Tool tool, Set<String> shared, @Nullable ToolNames present, boolean unchanged,
			Consumer<String> unusable) {
		try {
			return this.namer.name(tool, shared, present, unchanged);
		}
		catch (UnusableNameException ex) {
			unusable.accept(String.valueOf(ex.getMessage()));
			return null;
		}
	}

	/**
	 * Return whether the same rules among other servers have the same result for these
	 * tools.
	 */
	public boolean agreesWith(ToolAdmission other, Collection<ToolNames> offered) {
		return isBy(other.namer.naming()) || offered.stream()
			.allMatch((names) -> names.misleading() == other.namer.isMisleading(names.original()));
	}

	/**
	 * Return why a tool is excluded from the application, or {@code null} if it is
	 * included.
	 */
	public @Nullable String refusal(ToolNames names, Tool tool) {
		Tools settings = this.namer.server().tools();
		if (!settings.enabled()) {
			return "tools.enabled is false";
		}
		String refusal = refusal("mcp.tools", this.policy, tool.annotations());
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
