package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The name of a property in parts, each spelled as its source spells it. Boot's own
 * {@code ConfigurationPropertyName} drops what it does not allow, and so cannot tell a
 * wrong name from a right one.
 *
 * @param parts the parts, without brackets
 * @param variable whether the name is one of an environment variable, in which an
 * underscore divides parts and words alike
 */
record PropertyPath(List<String> parts, boolean variable) {

	private static final Pattern NAME = Pattern.compile("[A-Za-z_-][A-Za-z0-9_-]*");

	/**
	 * Read a name such as {@code mcp.servers[a.b].url}.
	 * @param name the name
	 * @return the path
	 */
	static PropertyPath of(String name) {
		List<String> parts = new ArrayList<>();
		int start = 0;
		while (start < name.length()) {
			boolean bracket = name.charAt(start) == '[' && closing(name, start) != -1;
			int end = bracket ? closing(name, start) : end(name, start);
			String part = name.substring(bracket ? start + 1 : start, end);
			if (bracket || !part.isEmpty()) {
				parts.add(part);
			}
			start = bracket ? end + 1 : end;
			if (start < name.length() && name.charAt(start) == '.') {
				start++;
			}
		}
		return new PropertyPath(parts, false);
	}

	/**
	 * Read the name of an environment variable, such as {@code MCP_SERVERS_A_URL}.
	 * @param name the name
	 * @return the path
	 */
	static PropertyPath ofVariable(String name) {
		return new PropertyPath(List.of(name.split("_", -1)), true);
	}

	/**
	 * What two spellings of one name have in common.
	 * @param name a name, or a part of one
	 * @return the name in lower case, without the characters that only divide words
	 */
	static String uniform(String name) {
		StringBuilder uniform = new StringBuilder(name.length());
		for (char ch : name.toLowerCase(Locale.ROOT).toCharArray()) {
			if (ch != '-' && ch != '_' && ch != '.') {
				uniform.append(ch);
			}
		}
		return uniform.toString();
	}

	/**
	 * Return what follows a part.
	 * @param uniform the part that this path must begin with, in its uniform form
	 * @return the rest, or {@code null} if this path begins otherwise
	 */
	@Nullable PropertyPath after(String uniform) {
		StringBuilder head = new StringBuilder();
		for (int i = 0; i < this.parts.size(); i++) {
			head.append(uniform(this.parts.get(i)));
			if (uniform.contentEquals(head)) {
				return new PropertyPath(this.parts.subList(i + 1, this.parts.size()), this.variable);
			}
			if (!this.variable || !uniform.startsWith(head.toString())) {
				return null;
			}
		}
		return null;
	}

	/**
	 * Return whether this path leads to a setting or to a part of it.
	 * @param setting the name of the setting
	 * @return whether it does
	 */
	boolean isBelow(String setting) {
		PropertyPath rest = this;
		for (String part : this.variable ? new String[] { setting } : setting.split("\\.")) {
			rest = (rest != null) ? rest.after(uniform(part)) : null;
		}
		return rest != null;
	}

	boolean isEmpty() {
		return this.parts.isEmpty();
	}

	int size() {
		return this.parts.size();
	}

	String first() {
		return this.parts.get(0);
	}

	/**
	 * Return the path as one name, as the key of a map has it.
	 * @return the parts, divided as in the source
	 */
	String joined() {
		return String.join(this.variable ? "_" : ".", this.parts);
	}

	/**
	 * Return the path as it follows the name of another property.
	 * @return the parts, each after a dot, or in brackets if it is a number or has other
	 * characters than a property has
	 */
	String suffix() {
		return this.parts.stream()
			.map((part) -> NAME.matcher(part).matches() ? "." + part : "[" + part + "]")
			.collect(Collectors.joining());
	}

	/**
	 * Return what finds the path whatever its spelling.
	 * @return the parts in their uniform form; those of a variable are not divided, since
	 * its underscores do not tell {@code max-delay} from {@code max.delay}
	 */
	String key() {
		return key(this.parts, this.variable);
	}

	/**
	 * Return what finds a path whatever its spelling.
	 * @param parts the parts of the path
	 * @param variable whether to find the name of an environment variable
	 * @return the key
	 */
	static String key(List<String> parts, boolean variable) {
		return parts.stream()
			.map(PropertyPath::uniform)
			.collect(Collectors.joining(variable ? "" : ".", variable ? "_" : "", ""));
	}

	private static int end(String name, int start) {
		int end = start;
		while (end < name.length() && name.charAt(end) != '.' && (name.charAt(end) != '[' || end == start)) {
			end++;
		}
		return end;
	}

	private static int closing(String name, int start) {
		int depth = 0;
		for (int i = start; i < name.length(); i++) {
			depth += (name.charAt(i) == '[') ? 1 : ((name.charAt(i) == ']') ? -1 : 0);
			if (depth == 0) {
				return i;
			}
		}
		return -1;
	}

}
