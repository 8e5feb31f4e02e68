package io.github.mcpclient.config;

import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.validation.McpServerDefinitions.ServerNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * The configured name of a server or of a selection.
 *
 * @param key the common form of all spellings of the name
 * @param declared whether a source spells the name exactly, unlike a variable
 * @param otherSpelling another spelling in the same source, or {@code null}
 */
record ServerName(String name, String key, boolean declared, @Nullable Origin origin, @Nullable String otherSpelling) {

	boolean isValid() {
		return ServerNames.isValid(this.name);
	}

	@Nullable String error(String kind) {
		return !isValid() ? ServerNames.invalid(kind)
				: (this.otherSpelling != null) ? ServerNames.taken(this.otherSpelling) : null;
	}

	ServerName alsoSpelled(String name) {
		return new ServerName(this.name, this.key, this.declared, this.origin, name);
	}

	String property(String parent) {
		return parent + PropertyNames.suffix(this.name);
	}

}
