package io.github.mcpclient.internal.tool;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A tool that the application does not get, or a pattern that matches none.
 *
 * @param unexpected whether the configuration does not ask for it, which is a warning
 */
record Exclusion(String originalName, @Nullable String name, String reason, boolean unexpected) {

	@Override
	public String toString() {
		return "'" + Printable.text(this.originalName) + "' (" + this.reason + ")";
	}

}
