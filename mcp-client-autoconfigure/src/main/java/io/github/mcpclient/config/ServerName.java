package io.github.mcpclient.config;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * The name of a server or of a selection, as it is configured.
 *
 * @param key what all spellings of the name have in common
 * @param declared whether a source spells the name exactly, unlike a variable
 * @param otherSpelling another spelling in the same source, or {@code null}
 */
record ServerName(String name, String key, boolean declared, @Nullable Origin origin, @Nullable String otherSpelling) {

	// a name is a part of a url and of the name of a health contributor
	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

	static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

	static String invalid(String kind) {
		return "This is not a name for a " + kind + ": use letters, digits, '.', '_' and '-' only, and begin with a "
				+ "letter or a digit.";
	}

	static String taken(String other) {
		return "There is also '" + other + "', which is the same name: case, '-', '_' and '.' do not count. Rename one "
				+ "of them.";
	}

	boolean isValid() {
		return isValid(this.name);
	}

	@Nullable String mistake(String kind) {
		return !isValid() ? invalid(kind) : (this.otherSpelling != null) ? taken(this.otherSpelling) : null;
	}

	ServerName alsoSpelled(String name) {
		return new ServerName(this.name, this.key, this.declared, this.origin, name);
	}

	String property(String parent) {
		return parent + PropertyTarget.suffix(this.name);
	}

}
