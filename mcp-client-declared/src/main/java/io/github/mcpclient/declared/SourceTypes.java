package io.github.mcpclient.declared;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.mcpclient.declared.SchemaNode.Kind;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Makes Java types of the schemas of tools: records and enums, each of them once, as long
 * as there is room. A value that Java cannot express, or that is nested too deeply, is a
 * {@code JsonNode}. Not safe for use by many threads.
 */
final class SourceTypes {

	// the constants of a class are 65,535
	private static final int MOST_TYPES = 3000;

	private static final int DEEPEST = 10;

	private static final int LONGEST_TEXT = 300;

	private static final int LONGEST_VALUE = 60;

	// with the type around it, the name of a file
	private static final int LONGEST_NAME = 100;

	private static final Map<String, String> PACKAGES = Map.of("JsonInclude", "com.fasterxml.jackson.annotation",
			"JsonProperty", "com.fasterxml.jackson.annotation", "List", "java.util", "Map", "java.util", "NullMarked",
			"org.jspecify.annotations", "Nullable", "org.jspecify.annotations", "JsonNode", "tools.jackson.databind",
			"McpToolArgument", "io.github.mcpclient.declared", "McpToolCall", "io.github.mcpclient.declared",
			"McpToolClient", "io.github.mcpclient.declared");

	private static final Map<String, String> PRIMITIVES = Map.of("Integer", "int", "Long", "long", "Double", "double",
			"Boolean", "boolean");

	private final SourceNames names = new SourceNames("Boolean", "Double", "Integer", "Long", "Object", "String");

	private final SortedSet<String> imports = new TreeSet<>();

	private final Map<String, String> declarations = new LinkedHashMap<>();

	// by the schema
	private final Map<Map<?, ?>, Declared> declared = new IdentityHashMap<>();

	// by what they declare
	private final Map<String, String> equal = new HashMap<>();

	private final String client;

	private int room;

	/**
	 * Create types.
	 * @param server the name of the server
	 * @param room for how many characters there is room, approximately
	 */
	SourceTypes(String server, int room) {
		PACKAGES.keySet().forEach(this.names::take);
		String name = SourceNames.type(server, "server");
		this.client = this.names.take(name, name + "Tools");
		this.room = room;
	}

	/**
	 * Return the name of the type around these.
	 */
	String client() {
		return this.client;
	}

	/**
	 * Return a simple name that the source imports.
	 */
	String use(String name) {
		this.imports.add(PACKAGES.get(name) + "." + name);
		return name;
	}

	SortedSet<String> imports() {
		return this.imports;
	}

	/**
	 * Return the declarations of all types, in the order in which they were needed.
	 */
	Iterable<String> declarations() {
		return this.declarations.values();
	}

	void take(int length) {
		this.room -= length;
	}

	boolean hasRoom() {
		return this.room > 0;
	}

	/**
	 * Return the type of a value.
	 */
	String type(SchemaNode node, Place place) {
		return switch (node.kind()) {
			case STRING -> node.values().isEmpty() ? "String" : declare(node, place);
			case INTEGER -> isInt(node.keywords(), place.result()) ? "Integer" : "Long";
			case NUMBER -> "Double";
			case BOOLEAN -> "Boolean";
			case ARRAY -> place.isDeep() ? use("JsonNode")
					: use("List") + "<" + element(node.keywords().get("items"), place.item()) + ">";
			case OBJECT -> object(node, place);
			case ANY -> use("JsonNode");
		};
	}

	private String object(SchemaNode node, Place place) {
		if (place.isDeep()) {
			return use("JsonNode");
		}
		return node.properties().isEmpty() ? map(node, use("JsonNode"), place) : declare(node, place);
	}

	/**
	 * Return the type of an object without properties.
	 * @param any the type of values of which nothing is known
	 */
	String map(SchemaNode node, String any, Place place) {
		boolean typed = node.keywords().get("additionalProperties") instanceof Map<?, ?> values && !values.isEmpty()
				&& !node.hasProperties() && !node.keywords().containsKey("patternProperties");
		return use("Map") + "<String, "
				+ (typed ? element(node.keywords().get("additionalProperties"), place.item()) : any) + ">";
	}

	private String element(@Nullable Object schema, Place place) {
		SchemaNode node = SchemaNode.of(schema, place.root());
		String type = type(node, place);
		// a JsonNode represents null itself
		return (node.nullable() && !type.equals("JsonNode")) ? "@" + use("Nullable") + " " + type : type;
	}

	// what a server returns may be the number of a row; what it takes is known by its
	// limits
	private static boolean isInt(Map<?, ?> keywords, boolean result) {
		if ("int32".equals(keywords.get("format"))) {
			return true;
		}
		boolean bounded = keywords.get("minimum") instanceof Number && keywords.get("maximum") instanceof Number;
		return !"int64".equals(keywords.get("format")) && (bounded || !result)
				&& List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "default", "const")
					.stream()
					.allMatch((keyword) -> isInt(keywords.get(keyword)));
	}

	private static boolean isInt(@Nullable Object limit) {
		return !(limit instanceof Number number) || Math.abs(number.doubleValue()) <= Integer.MAX_VALUE;
	}

	/**
	 * Return the members of an object.
	 * @param place the place of the object, whose name starts the names of nested types
	 * that are not unique
	 */
	List<Member> members(SchemaNode object, Place place) {
		SourceNames taken = new SourceNames();
		Set<String> required = object.required();
		List<Member> members = new ArrayList<>();
		object.properties().forEach((key, schema) -> {
			String name = String.valueOf(key);
			SchemaNode node = SchemaNode.of(schema, place.root());
			String type = type(node, place.member(SourceNames.type(name, "value")));
			boolean always = required.contains(name);
			if (always && !node.nullable()) {
				type = PRIMITIVES.getOrDefault(type, type);
			}
			members.add(new Member(name, taken.take(SourceNames.member(name, "value")), type, always, node.nullable(),
					describe(schema, node)));
		});
		return members;
	}

	private static String describe(@Nullable Object schema, SchemaNode node) {
		StringBuilder text = new StringBuilder();
		for (Map<?, ?> keywords : List.of((schema instanceof Map<?, ?> map) ? map : Map.of(), node.keywords())) {
			if (text.isEmpty() && keywords.get("description") instanceof String description) {
				text.append(SourceText.prose(description, LONGEST_TEXT));
			}
		}
		Object value = (schema instanceof Map<?, ?> map) ? map.get("default") : null;
		say(text, "Default: ", (value != null) ? value : node.keywords().get("default"));
		say(text, "Always ", node.constant());
		return text.toString();
	}

	private static void say(StringBuilder text, String what, @Nullable Object value) {
		if (value instanceof String || value instanceof Number || value instanceof Boolean) {
			text.append(text.isEmpty() ? "" : text.toString().matches("(?s).*[.!?]") ? " " : ". ")
				.append(what)
				.append(SourceText.prose(value.toString(), LONGEST_VALUE))
				.append('.');
		}
	}

	private String declare(SchemaNode node, Place place) {
		Declared known = this.declared.get(node.keywords());
		if (known != null) {
			known.used = true;
			return known.name;
		}
		boolean choice = node.kind() == Kind.STRING;
		if (!hasRoom() || this.declarations.size() >= MOST_TYPES) {
			return choice ? "String" : use("JsonNode");
		}
		String wanted = (node.name() != null) ? SourceNames.type(node.name(), "type") : place.name();
		Declared type = new Declared(this.names.take(wanted, Printable.cut(place.parent() + wanted, LONGEST_NAME)));
		this.declared.put(node.keywords(), type);
		this.declarations.put(type.name, "");
		// elsewhere, the member of the type has it
		String comment = (node.name() != null && node.keywords().get("description") instanceof String text)
				? SourceText.prose(text, LONGEST_TEXT) : "";
		String[] parts = choice ? choice(comment, node.values())
				: composite(comment, members(node, place.within(type.name)), place.result());
		take(type.name.length() + parts[0].length() + parts[1].length());
		// a type that refers to itself has its name in it
		String same = this.equal.putIfAbsent(String.join("\n", wanted, parts[0], parts[1]), type.name);
		if (same != null && !type.used) {
			this.declarations.remove(type.name);
			this.names.release(type.name);
			type.name = same;
			return same;
		}
		this.declarations.put(type.name, parts[0] + type.name + parts[1]);
		return type.name;
	}

	// what is before the name and after it
	private String[] choice(String comment, List<String> values) {
		SourceNames taken = new SourceNames();
		String constants = values.stream().map((value) -> {
			String name = taken.take(SourceNames.constant(value));
			return "\t\t"
					+ (name.equals(value) ? "" : "@" + use("JsonProperty") + "(" + SourceText.literal(value) + ") ")
					+ name;
		}).collect(Collectors.joining(",\n"));
		return new String[] { SourceText.javadoc("\t", comment, List.of()) + "\tenum ",
				" {\n\n" + constants + "\n\n\t}\n" };
	}

	private String[] composite(String comment, List<Member> members, boolean result) {
		String components = members.stream()
			.map((member) -> "\n\t\t\t" + annotations(member, result) + member.type() + " " + member.javaName())
			.collect(Collectors.joining(","));
		return new String[] { SourceText.javadoc("\t", comment, tags(members)) + "\trecord ",
				"(" + components + ") {\n\t}\n" };
	}

	private String annotations(Member member, boolean result) {
		String name = member.name().equals(member.javaName()) ? ""
				: "@" + use("JsonProperty") + "(" + SourceText.literal(member.name()) + ") ";
		// null is omitted from arguments otherwise
		String inclusion = (member.required() && member.nullable() && !result)
				? "@" + use("JsonInclude") + "(JsonInclude.Include.ALWAYS) " : "";
		return name + inclusion + nullness(member);
	}

	/**
	 * Return the annotation of what may be {@code null}, or nothing.
	 */
	String nullness(Member member) {
		return (member.nullable() || !member.required()) ? "@" + use("Nullable") + " " : "";
	}

	/**
	 * Return the tags of what is known of members.
	 */
	static List<String> tags(List<Member> members) {
		return members.stream()
			.filter((member) -> !member.text().isEmpty())
			.map((member) -> "@param " + member.javaName() + " " + member.text())
			.toList();
	}

	/**
	 * A type that was declared, or is about to be.
	 */
	private static final class Declared {

		private String name;

		private boolean used;

		Declared(String name) {
			this.name = name;
		}

	}

	/**
	 * Where a value is.
	 *
	 * @param root the document
	 * @param result whether it is in a result
	 * @param parent the name of the type or method around it
	 * @param name the name that its type should have
	 * @param depth how many values are around it
	 */
	record Place(Map<?, ?> root, boolean result, String parent, String name, int depth) {

		Place member(String name) {
			return new Place(this.root, this.result, this.parent, name, this.depth + 1);
		}

		Place item() {
			return member(SourceNames.item(this.name));
		}

		Place within(String parent) {
			return new Place(this.root, this.result, parent, this.name, this.depth);
		}

		boolean isDeep() {
			return this.depth >= DEEPEST;
		}

	}

	/**
	 * A member of an object.
	 *
	 * @param name its name
	 * @param javaName the name that it has in Java
	 * @param type its type
	 * @param required whether it has to be there
	 * @param nullable whether it may be {@code null}
	 * @param text what is known of it, for a comment
	 */
	record Member(String name, String javaName, String type, boolean required, boolean nullable, String text) {
	}

}
