package io.github.mcpclient.declared;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.Printable;

/**
 * Gives unique Java names to what a server calls otherwise. They are in ASCII, since a
 * letter that only looks like another one would make two names of one, and differ in more
 * than their case, since nested types are files.
 */
final class SourceNames {

	// names that a method of an interface, or a component of a record, cannot have
	private static final Set<String> RESERVED = Set.of("abstract", "assert", "boolean", "break", "byte", "case",
			"catch", "char", "class", "const", "continue", "default", "do", "double", "else", "enum", "extends",
			"false", "final", "finally", "float", "for", "goto", "if", "implements", "import", "instanceof", "int",
			"interface", "long", "native", "new", "null", "package", "private", "protected", "public", "return",
			"short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient",
			"true", "try", "void", "volatile", "while", "clone", "equals", "finalize", "getClass", "hashCode", "notify",
			"notifyAll", "toString", "wait");

	private static final int LONGEST = 60;

	private static final Pattern MARKS = Pattern.compile("\\p{M}+");

	private static final Pattern BETWEEN_WORDS = Pattern.compile("[^A-Za-z0-9]+");

	private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

	private final Set<String> taken = new HashSet<>();

	private final Map<String, Integer> numbers = new HashMap<>();

	SourceNames(String... taken) {
		Stream.of(taken).forEach(this::take);
	}

	/**
	 * Return the first name that is not taken, or else the last one with a number.
	 */
	String take(String... names) {
		for (String name : names) {
			if (this.taken.add(key(name))) {
				return name;
			}
		}
		String name = names[names.length - 1];
		String stem = Character.isDigit(name.charAt(name.length() - 1)) ? name + "_" : name;
		String numbered;
		do {
			numbered = stem + this.numbers.merge(stem, 2, (number, two) -> number + 1);
		}
		while (!this.taken.add(key(numbered)));
		return numbered;
	}

	/**
	 * Give a name back that was taken.
	 */
	void release(String name) {
		this.taken.remove(key(name));
	}

	private static String key(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the name of a method, a parameter or a component.
	 * @param noun stands in it for what cannot be in a name
	 */
	static String member(String name, String noun) {
		String type = type(name, noun);
		String first = words(name).stream().findFirst().filter(SourceNames::isShouted).orElse(" ");
		int end = type.startsWith(first) ? first.length() : 1;
		String member = type.substring(0, end).toLowerCase(Locale.ROOT) + type.substring(end);
		return RESERVED.contains(member) ? member + capitalized(noun) : member;
	}

	/**
	 * Return the name of a type.
	 */
	static String type(String name, String noun) {
		List<String> words = words(name);
		boolean shouted = words.stream().allMatch(SourceNames::isShouted);
		return start(noun,
				words.stream()
					.map((word) -> capitalized(shouted ? word.toLowerCase(Locale.ROOT) : word))
					.collect(Collectors.joining()));
	}

	/**
	 * Return the name of the type of an item of what has a name.
	 */
	static String item(String type) {
		if (type.length() > 4 && type.endsWith("ies")) {
			return type.substring(0, type.length() - 3) + "y";
		}
		return (type.length() > 2 && type.matches(".*[^sui]s")) ? type.substring(0, type.length() - 1) : type;
	}

	/**
	 * Return the name of a constant of an enum.
	 */
	static String constant(String value) {
		String constant = words(value).stream()
			.map(HUMP::split)
			.flatMap(Stream::of)
			.collect(Collectors.joining("_"))
			.toUpperCase(Locale.ROOT);
		return (constant.isEmpty() || Character.isDigit(constant.charAt(0))) ? "VALUE_" + cut(constant, "1")
				: cut(constant, "");
	}

	private static String cut(String name, String otherwise) {
		return name.isEmpty() ? otherwise : Printable.cut(name, LONGEST);
	}

	private static String start(String noun, String name) {
		String start = (name.isEmpty() || Character.isDigit(name.charAt(0))) ? capitalized(noun) + name : name;
		return Printable.cut(start, LONGEST);
	}

	private static boolean isShouted(String word) {
		return word.equals(word.toUpperCase(Locale.ROOT));
	}

	static String capitalized(String word) {
		return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
	}

	private static List<String> words(String name) {
		String ascii = MARKS.matcher(Normalizer.normalize(Printable.cut(name, 4 * LONGEST), Normalizer.Form.NFKD))
			.replaceAll("");
		return BETWEEN_WORDS.splitAsStream(ascii).filter((word) -> !word.isEmpty()).toList();
	}

}
