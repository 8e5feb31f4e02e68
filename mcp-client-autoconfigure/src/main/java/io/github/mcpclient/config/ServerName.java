package io.github.mcpclient.config;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * The name of a server or of a selection, as it is configured.
 *
 * @param name the name, as it is spelled
 * @param key what all spellings of the name have in common
 * @param declared whether a source spells the name exactly, which an environment variable
 * does not
 * @param origin where the name comes from, or {@code null} if that is not known
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

	/**
	 * Returns what is wrong with the name, or {@code null}.
	 */
	@Nullable String mistake(String kind) {
		return !isValid() ? invalid(kind) : (this.otherSpelling != null) ? taken(this.otherSpelling) : null;
	}

	ServerName alsoSpelled(String name) {
		return new ServerName(this.name, this.key, this.declared, this.origin, name);
	}

	/**
	 * Returns the property that holds what has this name, below that of all of the kind.
	 */
	String property(String parent) {
		return parent + PropertyTarget.suffix(this.name);
	}

}
