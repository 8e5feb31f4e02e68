package io.github.mcpclient.declared;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.declared.SchemaNode.Kind;
import io.github.mcpclient.declared.SourceTypes.Member;
import io.github.mcpclient.declared.SourceTypes.Place;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Writes the interface of one server: a method for each tool, and then the types that
 * these need.
 */
final class ClientSourceWriter {

	private static final int MOST_TOOLS = 1000;

	private static final int MOST_PARAMETERS = 3;

	private static final int LONGEST_TEXT = 1000;

	private static final int WIDTH = 110;

	// for characters
	private static final int ROOM = 1_000_000;

	private final StringBuilder methods = new StringBuilder();

	private final SourceNames names = new SourceNames();

	private final String server;

	private final SourceTypes types;

	ClientSourceWriter(String server) {
		this.server = server;
		this.types = new SourceTypes(server, ROOM);
	}

	String typeName() {
		return this.types.client();
	}

	String write(Collection<Tool> tools) {
		int written = 0;
		for (Tool tool : tools) {
			if (written < MOST_TOOLS && this.types.hasRoom() && tool.name().length() <= SchemaNode.LONGEST_NAME) {
				String method = method(tool);
				this.types.take(method.length());
				this.methods.append(method).append('\n');
				written++;
			}
		}
		if (written < tools.size()) {
			this.methods.append("\t// omitted, too many or too large: ")
				.append(tools.size() - written)
				.append(" tools\n\n");
		}
		String head = SourceText.javadoc("",
				"Tools of the MCP server '" + SourceText.prose(this.server, LONGEST_TEXT) + "'.", List.of()) + "@"
				+ this.types.use("NullMarked") + "\n@" + this.types.use("McpToolClient") + "("
				+ SourceText.literal(this.server) + ")\npublic interface " + typeName() + " {\n\n";
		StringBuilder source = new StringBuilder(imports(true)).append(imports(false))
			.append(head)
			.append(this.methods);
		this.types.declarations().forEach((type) -> source.append(type).append('\n'));
		return source.append("}\n").toString();
	}

	private String imports(boolean java) {
		String imports = this.types.imports()
			.stream()
			.filter((type) -> type.startsWith("java.") == java)
			.map((type) -> "import " + type + ";\n")
			.collect(Collectors.joining());
		return imports.isEmpty() ? "" : imports + "\n";
	}

	private String method(Tool tool) {
		String name = this.names.take(SourceNames.member(tool.name(), "tool"));
		String result = result(tool.outputSchema(), SourceNames.capitalized(name));
		List<Member> arguments = arguments(schema(tool.inputSchema()), SourceNames.capitalized(name));
		List<String> parameters = arguments.stream().map(this::parameter).toList();
		String start = "\t" + result + " " + name + "(";
		String line = start + String.join(", ", parameters) + ");\n";
		String text = Stream.of(tool.description(), tool.title())
			.filter((one) -> one != null && !one.isBlank())
			.findFirst()
			.map((one) -> SourceText.prose(one, LONGEST_TEXT))
			.orElse("");
		return SourceText.javadoc("\t", text, SourceTypes.tags(arguments))
				+ (name.equals(tool.name()) ? ""
						: "\t@" + this.types.use("McpToolCall") + "(" + SourceText.literal(tool.name()) + ")\n")
				+ ((line.length() > WIDTH) ? start + "\n\t\t\t" + String.join(",\n\t\t\t", parameters) + ");\n" : line);
	}

	private static Map<?, ?> schema(@Nullable Map<?, ?> schema) {
		return (schema != null) ? schema : Map.of();
	}

	private String result(@Nullable Map<?, ?> schema, String method) {
		if (schema == null) {
			return "String";
		}
		SchemaNode node = SchemaNode.of(schema, schema);
		String type = this.types.type(node, new Place(schema, true, method, method + "Result", 0));
		// a method that returns a String returns the text of the result
		return (node.nullable() ? "@" + this.types.use("Nullable") + " " : "")
				+ (type.equals("String") ? this.types.use("JsonNode") : type);
	}

	private List<Member> arguments(Map<?, ?> schema, String method) {
		SchemaNode node = SchemaNode.of(schema, schema);
		Place place = new Place(schema, false, method, method + "Request", 0);
		if (node.properties().isEmpty()) {
			boolean any = node.hasProperties() || node.keywords().isEmpty() && !schema.isEmpty()
					|| node.keywords().containsKey("patternProperties")
					|| node.keywords().get("additionalProperties") instanceof Map
					|| Boolean.TRUE.equals(node.keywords().get("additionalProperties"));
			return any ? List.of(whole("arguments", this.types.map(node, "Object", place))) : List.of();
		}
		if (node.properties().size() <= MOST_PARAMETERS && node.properties()
			.entrySet()
			.stream()
			.allMatch((entry) -> isParameter(SchemaNode.of(entry.getValue(), schema),
					node.required().contains(entry.getKey())))) {
			return this.types.members(node, place);
		}
		String type = this.types.type(node, place);
		// a parameter of that type would be one argument
		return List.of(type.equals("JsonNode") ? whole("arguments", this.types.use("Map") + "<String, Object>")
				: whole("request", type));
	}

	// a parameter that is an object would be all arguments, and null is omitted
	private static boolean isParameter(SchemaNode node, boolean required) {
		return node.kind() != Kind.OBJECT && !(required && node.nullable());
	}

	private static Member whole(String name, String type) {
		return new Member(name, name, type, true, false, "");
	}

	private String parameter(Member argument) {
		String name = argument.name().equals(argument.javaName()) ? ""
				: "@" + this.types.use("McpToolArgument") + "(" + SourceText.literal(argument.name()) + ") ";
		return name + this.types.nullness(argument) + argument.type() + " " + argument.javaName();
	}

}
