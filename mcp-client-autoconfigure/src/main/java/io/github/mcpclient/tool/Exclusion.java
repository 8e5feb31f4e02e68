package io.github.mcpclient.tool;

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
 * @param unexpected whether the configuration does not ask for it, so that it is warned
 * of
 */
record Exclusion(String originalName, @Nullable String name, String reason, boolean unexpected) {

	@Override
	public String toString() {
		return "'" + Printable.text(this.originalName) + "' (" + this.reason + ")";
	}

}
