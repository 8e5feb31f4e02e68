import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;

/**
 * Prints the public API of the published modules, as their sources have it: all that is
 * public or protected in the packages for applications. {@code java build/PublicApi.java},
 * in the folder of the project, prints it; {@code java build/PublicApi.java --write} writes
 * it to {@code build/public-api.txt}, with which a test compares it.
 */
class PublicApi {

	private static final Path LIST = Path.of("build/public-api.txt");

	// what is public there is so for other packages of ours
	private static final Pattern NOT_API = Pattern.compile("io\\.github\\.mcpclient\\.(internal|config)(\\..*)?");

	// what everybody knows, or is in the list itself
	private static final Pattern KNOWN = Pattern.compile("(java|org\\.jspecify|io\\.github\\.mcpclient)\\..*");

	private static final Pattern WORD = Pattern.compile("(?<![.\\w])[A-Z]\\w*");

	// a line stays where it is if its modifiers or its type change
	private static final Comparator<String> BY_NAME = Comparator
		.comparing((String line) -> line.replaceFirst("\\(.*", "").replaceFirst(".* ", ""))
		.thenComparing(Comparator.naturalOrder());

	private static final Set<String> OF_OBJECT = Set.of("equals", "hashCode", "toString");

	private static final Set<String> SHOWN_ANNOTATIONS = Set.of("FunctionalInterface", "Target", "Retention",
			"Inherited", "Deprecated", "Repeatable");

	private static final Set<Modifier> SHOWN_MODIFIERS = Set.of(Modifier.PUBLIC, Modifier.PROTECTED, Modifier.ABSTRACT,
			Modifier.DEFAULT, Modifier.STATIC, Modifier.FINAL, Modifier.SEALED, Modifier.NON_SEALED);

	private final SourcePositions positions;

	private final CompilationUnitTree unit;

	private final String source;

	private final Map<String, List<String>> types;

	private PublicApi(SourcePositions positions, CompilationUnitTree unit, Map<String, List<String>> types)
			throws IOException {
		this.positions = positions;
		this.unit = unit;
		this.source = unit.getSourceFile().getCharContent(true).toString();
		this.types = types;
	}

	public static void main(String[] args) throws IOException {
		String list = list();
		if (args.length > 0 && args[0].equals("--write")) {
			Files.writeString(LIST, list);
		}
		else {
			System.out.print(list);
		}
	}

	private static String list() throws IOException {
		List<Path> modules;
		try (Stream<Path> files = Files.list(Path.of("."))) {
			modules = files.filter((file) -> file.getFileName().toString().startsWith("mcp-"))
				.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.sorted()
				.toList();
		}
		StringBuilder list = new StringBuilder();
		for (Path module : modules) {
			Map<String, List<String>> types = types(module);
			if (!types.isEmpty()) {
				list.append("# ").append(module.subpath(1, 2)).append("\n\n");
			}
			types.values().forEach((lines) -> list.append(String.join("\n\t", lines)).append("\n\n"));
		}
		return list.toString();
	}

	private static Map<String, List<String>> types(Path module) throws IOException {
		List<Path> sources;
		try (Stream<Path> files = Files.walk(module)) {
			sources = files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !file.endsWith("package-info.java"))
				.filter((file) -> !NOT_API
					.matcher(module.relativize(file.getParent()).toString().replace('/', '.').replace('\\', '.'))
					.matches())
				.toList();
		}
		Map<String, List<String>> types = new TreeMap<>();
		if (sources.isEmpty()) {
			return types;
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjectsFromPaths(sources));
			SourcePositions positions = Trees.instance(task).getSourcePositions();
			for (CompilationUnitTree unit : task.parse()) {
				PublicApi api = new PublicApi(positions, unit, types);
				for (Tree type : unit.getTypeDecls()) {
					if (type instanceof ClassTree declared) {
						api.add(declared, unit.getPackageName().toString(), false);
					}
				}
			}
		}
		return types;
	}

	// what is declared in an interface is public without saying so
	private void add(ClassTree type, String outer, boolean inContract) {
		if (!isShown(type.getModifiers(), inContract)) {
			return;
		}
		String name = outer + "." + type.getSimpleName();
		boolean contract = type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE;
		boolean constructed = type.getKind() != Tree.Kind.CLASS;
		List<String> constants = new ArrayList<>();
		List<String> components = new ArrayList<>();
		Set<String> fields = new TreeSet<>(BY_NAME);
		Set<String> constructors = new TreeSet<>(BY_NAME);
		Set<String> methods = new TreeSet<>(BY_NAME);
		for (Tree member : type.getMembers()) {
			if (member instanceof ClassTree nested) {
				add(nested, name, contract);
			}
			else if (member instanceof VariableTree field) {
				Set<Modifier> flags = field.getModifiers().getFlags();
				if (type.getKind() == Tree.Kind.ENUM && isConstant(field)) {
					constants.add(field.getName().toString());
				}
				else if (type.getKind() == Tree.Kind.RECORD && !flags.contains(Modifier.STATIC)) {
					components.add(typed(field) + " " + field.getName());
				}
				else if (isShown(field.getModifiers(), contract)) {
					fields.add(deprecated(field.getModifiers()) + modifiers(field.getModifiers()) + typed(field) + " "
							+ field.getName());
				}
			}
			else if (member instanceof MethodTree method) {
				boolean constructor = method.getReturnType() == null;
				constructed |= constructor;
				if (isShown(method.getModifiers(), contract) && !isCompact(method) && !isOfObject(method)) {
					(constructor ? constructors : methods).add(signature(method, type));
				}
			}
		}
		if (!constructed) {
			constructors.add("public " + type.getSimpleName() + "()");
		}
		List<String> lines = new ArrayList<>();
		lines.add(head(type, name, components, inContract));
		if (!constants.isEmpty()) {
			lines.add(String.join(", ", constants));
		}
		lines.addAll(fields);
		lines.addAll(constructors);
		lines.addAll(methods);
		String uses = uses(lines);
		if (!uses.isEmpty()) {
			lines.add(1, uses);
		}
		this.types.put(name, lines);
	}

	private String head(ClassTree type, String name, List<String> components, boolean inContract) {
		StringBuilder head = new StringBuilder();
		for (AnnotationTree annotation : type.getModifiers().getAnnotations()) {
			if (SHOWN_ANNOTATIONS.contains(text(annotation.getAnnotationType()))) {
				head.append(text(annotation)).append(' ');
			}
		}
		String modifiers = modifiers(type.getModifiers());
		head.append((inContract && !modifiers.contains("public ")) ? "public " : "").append(modifiers).append(switch (type.getKind()) {
			case INTERFACE -> "interface ";
			case ANNOTATION_TYPE -> "@interface ";
			case ENUM -> "enum ";
			case RECORD -> "record ";
			default -> "class ";
		}).append(name);
		if (!type.getTypeParameters().isEmpty()) {
			head.append('<').append(texts(type.getTypeParameters())).append('>');
		}
		if (type.getKind() == Tree.Kind.RECORD) {
			head.append('(').append(String.join(", ", components)).append(')');
		}
		if (type.getExtendsClause() != null) {
			head.append(" extends ").append(text(type.getExtendsClause()));
		}
		if (!type.getImplementsClause().isEmpty()) {
			head.append((type.getKind() == Tree.Kind.INTERFACE) ? " extends " : " implements ")
				.append(texts(type.getImplementsClause()));
		}
		if (!type.getPermitsClause().isEmpty()) {
			head.append(" permits ").append(texts(type.getPermitsClause()));
		}
		return head.toString();
	}

	private String signature(MethodTree method, ClassTree type) {
		StringBuilder signature = new StringBuilder(deprecated(method.getModifiers()))
			.append(modifiers(method.getModifiers()));
		if (!method.getTypeParameters().isEmpty()) {
			signature.append('<').append(texts(method.getTypeParameters())).append("> ");
		}
		if (method.getReturnType() == null) {
			signature.append(type.getSimpleName());
		}
		else {
			signature.append(nullable(method.getModifiers()))
				.append(text(method.getReturnType()))
				.append(' ')
				.append(method.getName());
		}
		signature.append('(')
			.append(method.getParameters().stream().map(this::typed).collect(Collectors.joining(", ")))
			.append(')');
		if (!method.getThrows().isEmpty()) {
			signature.append(" throws ").append(texts(method.getThrows()));
		}
		if (method.getDefaultValue() != null) {
			signature.append(" default ").append(text(method.getDefaultValue()));
		}
		return signature.toString();
	}

	private String typed(VariableTree variable) {
		String type = text(variable.getType());
		boolean many = text(variable).matches("(?s).*\\.\\.\\.\\s*" + variable.getName() + "\\s*");
		return nullable(variable.getModifiers())
				+ (many ? type.replaceAll("(\\[]|\\s*\\.\\.\\.)$", "") + "..." : type);
	}

	private String nullable(ModifiersTree modifiers) {
		return annotations(modifiers, "@Nullable");
	}

	private String deprecated(ModifiersTree modifiers) {
		return annotations(modifiers, "@Deprecated");
	}

	private String annotations(ModifiersTree modifiers, String name) {
		return modifiers.getAnnotations()
			.stream()
			.map(this::text)
			.filter((annotation) -> annotation.matches(name + "(\\(.*)?"))
			.map((annotation) -> annotation + " ")
			.collect(Collectors.joining());
	}

	private static String modifiers(ModifiersTree modifiers) {
		return modifiers.getFlags()
			.stream()
			.filter(SHOWN_MODIFIERS::contains)
			.sorted()
			.map((modifier) -> modifier + " ")
			.collect(Collectors.joining());
	}

	private static boolean isShown(ModifiersTree modifiers, boolean inContract) {
		Set<Modifier> flags = modifiers.getFlags();
		return flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED)
				|| (inContract && !flags.contains(Modifier.PRIVATE));
	}

	// has no type
	private boolean isConstant(VariableTree field) {
		return text(field).replaceFirst("^(@\\S+ )*", "").matches("\\Q" + field.getName() + "\\E\\b.*");
	}

	// has no parameters
	private boolean isCompact(MethodTree method) {
		return method.getReturnType() == null && text(method).matches("[\\w ]*\\w+ \\{.*");
	}

	private static boolean isOfObject(MethodTree method) {
		return OF_OBJECT.contains(method.getName().toString())
				&& method.getParameters().size() == (method.getName().contentEquals("equals") ? 1 : 0);
	}

	// names say which types are meant
	private String uses(List<String> lines) {
		Map<String, String> imports = new TreeMap<>();
		for (ImportTree imported : this.unit.getImports()) {
			String name = text(imported.getQualifiedIdentifier());
			if (!KNOWN.matcher(name).matches()) {
				imports.put(name.substring(name.lastIndexOf('.') + 1), name);
			}
		}
		Set<String> used = new TreeSet<>();
		for (String line : lines) {
			WORD.matcher(line)
				.results()
				.map((word) -> imports.get(word.group()))
				.filter(Objects::nonNull)
				.forEach(used::add);
		}
		return used.isEmpty() ? "" : "uses " + String.join(", ", used);
	}

	private String texts(List<? extends Tree> trees) {
		return trees.stream().map(this::text).collect(Collectors.joining(", "));
	}

	private String text(Tree tree) {
		int start = (int) this.positions.getStartPosition(this.unit, tree);
		int end = (int) this.positions.getEndPosition(this.unit, tree);
		return (start >= 0 && end >= start) ? this.source.substring(start, end).replaceAll("\\s+", " ")
				: tree.toString();
	}

}
