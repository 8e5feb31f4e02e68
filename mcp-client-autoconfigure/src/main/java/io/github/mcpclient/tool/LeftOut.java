package io.github.mcpclient.tool;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A tool that a server offers, or is expected to offer, and that the application does not
 * get.
 *
 * @param originalName the name that the server gives to it, or the pattern that was to
 * match it
 * @param name the prefixed name, or {@code null} where there is none
 * @param reason why it is left out
 * @param unexpected whether it is left out by another reason than what was configured, so
 * that it should be warned of
 */
record LeftOut(String originalName, @Nullable String name, String reason, boolean unexpected) {

	ExcludedTool toExcludedTool() {
		return new ExcludedTool(this.originalName, this.reason);
	}

	@Override
	public String toString() {
		return "'" + Printable.text(this.originalName) + "' (" + this.reason + ")";
	}

}
