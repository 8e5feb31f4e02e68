package io.github.mcpclient.tool;

import io.github.mcpclient.McpToolAccess;
import io.github.mcpclient.McpToolPolicy;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Judges a tool by its hints. The property is where the policy is configured.
 */
record AccessRule(String property, McpToolPolicy policy) {

	/**
	 * Return why a tool with these hints is left out, or {@code null} if it is allowed.
	 */
	@Nullable String refusal(@Nullable ToolAnnotations hints) {
		Boolean readOnly = (hints != null) ? hints.readOnlyHint() : null;
		Boolean destructive = (hints != null) ? hints.destructiveHint() : null;
		Boolean openWorld = (hints != null) ? hints.openWorldHint() : null;
		McpToolAccess access = this.policy.access();
		if (access == McpToolAccess.NO_WRITE && Boolean.FALSE.equals(readOnly)) {
			return this.property + ".access is no-write and the tool says readOnlyHint: false";
		}
		if (access == McpToolAccess.READ_ONLY && !Boolean.TRUE.equals(readOnly)) {
			return this.property + ".access is read-only and the tool does not say readOnlyHint: true";
		}
		if (!this.policy.allowDestructive() && Boolean.TRUE.equals(destructive)) {
			return this.property + ".allow-destructive is false and the tool says destructiveHint: true";
		}
		if (!this.policy.allowDestructive() && destructive == null && !Boolean.TRUE.equals(readOnly)) {
			return this.property + ".allow-destructive is false and the tool says neither destructiveHint: false"
					+ " nor readOnlyHint: true";
		}
		if (!this.policy.allowOpenWorld() && !Boolean.FALSE.equals(openWorld)) {
			return this.property + ".allow-open-world is false and the tool "
					+ ((openWorld != null) ? "says openWorldHint: true" : "does not say openWorldHint: false");
		}
		return null;
	}

}
