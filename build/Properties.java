import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;

/**
 * Prints {@code docs/properties.md}: the text of {@code build/properties.md} with tables of
 * the configuration properties, from the metadata of the compiled modules. {@code java
 * build/Properties.java}, in the folder of the project, prints it; {@code java
 * build/Properties.java --write} writes it. A test compares it.
 */
class Properties {

	private static final Path PAGE = Path.of("docs/properties.md");

	private static final Path TEMPLATE = Path.of("build/properties.md");

	private static final String METADATA = "target/classes/META-INF/spring-configuration-metadata.json";

	private static final String DEFAULTS = "mcp.defaults";

	private static final String SERVER = "mcp.servers.<name>.";

	// the names of the properties of a table, with wildcards
	private static final Pattern TABLE = Pattern.compile("(?m)^\\[properties: (.*)]$");

	// the package and the outer types of a type
	private static final Pattern QUALIFIER = Pattern.compile("(?:\\w+[.$])+(?=\\w)");

	private static final Pattern ITEMS = Pattern.compile("java\\.util\\.List<(io\\.github\\.mcpclient\\.[\\w.]+)>");

	private static final Pattern QUOTED = Pattern.compile("(?<!\\w)'(\\S+?)'(?!\\w)");

	private static final Pattern ANNOTATION = Pattern.compile("@\\w+ *");

	private static final Pattern NAME = Pattern.compile("@Name\\((?:value *= *)?\"(.*?)\"\\)");

	private final Map<String, Property> properties = new TreeMap<>();

	public static void main(String[] args) throws IOException {
		Properties properties = new Properties();
		for (Path module : modules()) {
			Path metadata = module.resolve(METADATA);
			if (Files.exists(metadata)) {
				properties.read(new Json(Files.readString(metadata)).read());
			}
		}
		String page = properties.page(Files.readString(TEMPLATE));
		if (args.length > 0 && args[0].equals("--write")) {
			Files.writeString(PAGE, page);
		}
		else {
			System.out.print(page);
		}
	}

	private static List<Path> modules() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("."))) {
			return files.filter((file) -> file.getFileName().toString().startsWith("mcp-")).sorted().toList();
		}
	}

	private void read(Json metadata) throws IOException {
		Map<String, String> values = new TreeMap<>();
		for (Json hint : metadata.all("hints")) {
			values.put(hint.text("name"),
					hint.all("values")
						.stream()
						.map((value) -> " `" + value.text("value") + "`: " + value.text("description"))
						.collect(Collectors.joining()));
		}
		for (Json property : metadata.all("properties")) {
			String name = property.text("name");
			String description = property.text("description");
			add(name, new Property(property.text("type"), property.text("defaultValue"),
					description.isEmpty() ? description : description + values.getOrDefault(name, "")));
			Matcher items = ITEMS.matcher(property.text("type"));
			if (items.matches()) {
				components(items.group(1)).forEach((component, item) -> add(name + "[]." + component, item));
			}
		}
		for (Json group : metadata.all("groups")) {
			if (group.text("name").equals(DEFAULTS)) {
				Map<String, Property> server = components(group.text("type"));
				// which servers have, and their defaults do not
				for (Json ignored : metadata.child("ignored").all("properties")) {
					String name = ignored.text("name");
					add(name, server.get(name.substring(DEFAULTS.length() + 1)));
				}
			}
		}
	}

	private void add(String name, Property property) {
		if (property == null || property.description().isEmpty()) {
			throw new IllegalStateException("No description: " + name);
		}
		String shown = name.startsWith(DEFAULTS + ".") ? SERVER + name.substring(DEFAULTS.length() + 1) : name;
		this.properties.put(property.type().matches("(java\\.util\\.)?Map<.*") ? shown + ".*" : shown, property);
	}

	/**
	 * Return the components of a record, as its source has them.
	 */
	private static Map<String, Property> components(String type) throws IOException {
		String file = "src/main/java/" + type.replace('.', '/') + ".java";
		Path source = modules().stream()
			.map((module) -> module.resolve(file))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No source: " + type));
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjects(source));
			CompilationUnitTree unit = task.parse().iterator().next();
			ClassTree declared = (ClassTree) unit.getTypeDecls().get(0);
			DocCommentTree comment = DocTrees.instance(task).getDocCommentTree(TreePath.getPath(unit, declared));
			Map<String, String> descriptions = new TreeMap<>();
			for (DocTree tag : comment.getBlockTags()) {
				if (tag instanceof ParamTree param) {
					descriptions.put(param.getName().toString(), text(param.getDescription()));
				}
			}
			Map<String, Property> components = new LinkedHashMap<>();
			for (Tree member : declared.getMembers()) {
				if (member instanceof VariableTree component
						&& descriptions.containsKey(component.getName().toString())) {
					components.put(name(component),
							new Property(ANNOTATION.matcher(component.getType().toString()).replaceAll(""), "",
									descriptions.get(component.getName().toString())));
				}
			}
			return components;
		}
	}

	private static String name(VariableTree component) {
		Matcher name = NAME.matcher(component.getModifiers().getAnnotations().toString());
		return name.find() ? name.group(1)
				: component.getName().toString().replaceAll("(?<=\\w)([A-Z])", "-$1").toLowerCase();
	}

	private static String text(List<? extends DocTree> description) {
		return description.stream().map((part) -> {
			if (part instanceof LinkTree link) {
				return link.getLabel().isEmpty() ? link.getReference().toString() : text(link.getLabel());
			}
			return (part instanceof LiteralTree literal) ? literal.getBody().toString() : part.toString();
		}).collect(Collectors.joining()).replaceAll("\\s+", " ").strip();
	}

	private String page(String template) {
		Map<String, Property> missing = new TreeMap<>(this.properties);
		String page = TABLE.matcher(template)
			.replaceAll((table) -> Matcher.quoteReplacement(table(table.group(1).split(" "), missing)));
		if (!missing.isEmpty()) {
			throw new IllegalStateException("In no table of " + TEMPLATE + ": " + missing.keySet());
		}
		return page;
	}

	private String table(String[] names, Map<String, Property> missing) {
		StringBuilder table = new StringBuilder("| name | type | default | description |\n|---|---|---|---|");
		for (String name : names) {
			Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
			Map<String, Property> found = new TreeMap<>(missing);
			found.keySet().removeIf((candidate) -> !pattern.matcher(candidate).matches());
			if (found.isEmpty()) {
				throw new IllegalStateException("No property, or it is in a table above: " + name);
			}
			found.forEach((match, property) -> table.append(row(match, property)));
			missing.keySet().removeAll(found.keySet());
		}
		return table.toString();
	}

	private static String row(String name, Property property) {
		String shown = name.startsWith(SERVER) ? name.substring(SERVER.length()) : name;
		String type = QUALIFIER.matcher(property.type()).replaceAll("").replaceAll(", *", ", ");
		String value = property.defaultValue().isEmpty() ? "" : "`" + property.defaultValue() + "`";
		return "\n| `" + shown + "` | `" + type + "` | " + value + " | " + markdown(property.description()) + " |";
	}

	private static String markdown(String description) {
		String text = QUOTED.matcher(description.replace("<", "&lt;").replace("|", "\\|")).replaceAll("`$1`");
		return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
	}

	private record Property(String type, String defaultValue, String description) {

	}

	/**
	 * JSON as the annotation processor of Spring Boot writes it.
	 */
	private static final class Json {

		private static final Pattern TOKEN = Pattern
			.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"|[\\[\\]{}:,]|[^\\s\\[\\]{}:,\"]+");

		private static final Pattern ESCAPED = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");

		private final Iterator<String> tokens;

		private Object value = "";

		private Json(String json) {
			this.tokens = TOKEN.matcher(json).results().map(MatchResult::group).iterator();
		}

		private Json(Object value) {
			this.tokens = List.<String>of().iterator();
			this.value = value;
		}

		private Json read() {
			this.value = read(this.tokens.next());
			return this;
		}

		private Object read(String token) {
			return switch (token.charAt(0)) {
				case '{' -> {
					Map<String, Object> object = new LinkedHashMap<>();
					for (String next = this.tokens.next(); !next.equals("}"); next = this.tokens.next()) {
						if (!next.equals(",")) {
							this.tokens.next();
							object.put(unescaped(next), read(this.tokens.next()));
						}
					}
					yield object;
				}
				case '[' -> {
					List<Object> array = new ArrayList<>();
					for (String next = this.tokens.next(); !next.equals("]"); next = this.tokens.next()) {
						if (!next.equals(",")) {
							array.add(read(next));
						}
					}
					yield array;
				}
				case '"' -> unescaped(token);
				default -> token;
			};
		}

		private static String unescaped(String token) {
			return ESCAPED.matcher(token.substring(1, token.length() - 1)).replaceAll((escaped) -> {
				String character = (escaped.group(1) != null)
						? Character.toString(Integer.parseInt(escaped.group(1), 16))
						: ("\\" + escaped.group(2)).replace("\\/", "/").translateEscapes();
				return Matcher.quoteReplacement(character);
			});
		}

		private Json child(String name) {
			return new Json((this.value instanceof Map<?, ?> object && object.containsKey(name)) ? object.get(name)
					: Map.of());
		}

		private List<Json> all(String name) {
			return (child(name).value instanceof List<?> array) ? array.stream().map(Json::new).toList() : List.of();
		}

		private String text(String name) {
			Object text = child(name).value;
			return (text instanceof List<?> array)
					? array.stream().map(String::valueOf).collect(Collectors.joining(","))
					: (text instanceof Map) ? "" : text.toString();
		}

	}

}
