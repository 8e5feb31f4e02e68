package io.github.mcpclient.internal.support;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of properties, in all of their spellings.
 */
public final class PropertyNames {

	private static final Pattern SEPARATOR = Pattern.compile("[._-]");

	// the index of a list item is written in brackets
	private static final Pattern SIMPLE = Pattern.compile("(?!\\d{1,9}$)[A-Za-z0-9_-]+");

	private PropertyNames() {
	}

	/**
	 * Return the canonical form of all spellings of a name.
	 */
	public static String uniform(String name) {
		return SEPARATOR.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
	}

	/**
	 * Return a part of a name as it follows the others: after a dot, or in brackets,
	 * which preserve all of its characters.
	 */
	public static String suffix(String part) {
		return SIMPLE.matcher(part).matches() ? "." + part : "[" + part + "]";
	}

	/**
	 * Return the name of a setting of a server, or of all of its settings for an empty
	 * setting.
	 */
	public static String ofServer(String server, String setting) {
		return below("mcp.servers" + suffix(server), setting);
	}

	/**
	 * Return the name of a property below another name, or the same name for an empty
	 * one.
	 */
	public static String below(String name, String rest) {
		return name + ((name.isEmpty() || rest.isEmpty() || rest.startsWith("[")) ? "" : ".") + rest;
	}

}
