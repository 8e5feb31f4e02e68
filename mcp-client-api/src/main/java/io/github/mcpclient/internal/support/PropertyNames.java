package io.github.mcpclient.internal.support;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of properties, in all of their spellings.
 */
public final class PropertyNames {

	private static final Pattern SEPARATOR = Pattern.compile("[._-]");

	// the number of an item is none
	private static final Pattern SIMPLE = Pattern.compile("(?!\\d{1,9}$)[A-Za-z0-9_-]+");

	private PropertyNames() {
	}

	/**
	 * Return what all spellings of a name have in common.
	 */
	public static String uniform(String name) {
		return SEPARATOR.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
	}

	/**
	 * Return a part of a name as it follows the others: after a dot, or in brackets,
	 * which keep all of its characters.
	 */
	public static String suffix(String part) {
		return SIMPLE.matcher(part).matches() ? "." + part : "[" + part + "]";
	}

	/**
	 * Return the name of a setting of a server; that of all of its settings for an empty
	 * one.
	 */
	public static String ofServer(String server, String setting) {
		return below("mcp.servers" + suffix(server), setting);
	}

	/**
	 * Return the name of what is below another name; the same name for nothing.
	 */
	public static String below(String name, String rest) {
		return name + ((name.isEmpty() || rest.isEmpty() || rest.startsWith("[")) ? "" : ".") + rest;
	}

}
