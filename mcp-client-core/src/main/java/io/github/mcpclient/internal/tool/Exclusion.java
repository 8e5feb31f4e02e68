package io.github.mcpclient.internal.tool;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A tool that is excluded from the application, or a pattern that matches no tool.
 *
 * @param unexpected whether the configuration does not request it, so that a warning is
 * logged
 */
record Exclusion(String originalName, @Nullable String name, String reason, boolean unexpected) {

	@Override
	public String toString() {
		return "'" + Printable.text(this.originalName) + "' (" + this.reason + ")";
	}

}
