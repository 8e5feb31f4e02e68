package io.github.mcpclient.rules;

import java.util.regex.Pattern;

/**
 * What must be true of the name of a server, or of a selection of tools.
 */
public final class ServerNames {

	// a name is a part of a url and of the name of a health contributor
	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

	private ServerNames() {
	}

	/**
	 * Returns whether a name can be used.
	 */
	public static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

	/**
	 * Says that a name cannot be used.
	 * @param kind what it is to be the name of
	 */
	public static String invalid(String kind) {
		return "This is not a name for a " + kind + ": use letters, digits, '.', '_' and '-' only, and begin with a "
				+ "letter or a digit.";
	}

	/**
	 * Says that a name is taken.
	 */
	public static String taken(String other) {
		return "There is also '" + other + "', which is the same name: case, '-', '_' and '.' do not count. Rename one "
				+ "of them.";
	}

}
