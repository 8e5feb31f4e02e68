import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Prints how large the published modules are, and which files know each other in a
 * circle: {@code java build/Measure.java}, in the folder of the project.
 */
class Measure {

	private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

	private static final Pattern TEXT = Pattern.compile("\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);

	private static final Pattern NOT_CODE = Pattern.compile("\\s*(\\*.*|/\\*.*|//.*|import .*|package .*)?");

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public (final |abstract |sealed |non-sealed )*(class|interface|record|enum|@interface) ");

	private static final Pattern NAME = Pattern.compile("[A-Z]\\w*");

	// the packages below the root whose public types are for applications and their tests
	private static final Set<String> API = Set.of("", "definition", "authorization", "handler", "event", "spi",
			"client", "autoconfigure", "actuate", "observation", "springai", "langchain4j", "service", "auth.oauth2", "console", "console.servlet", "console.reactive",
			"test", "test.server");

	public static void main(String[] args) throws IOException {
		List<Path> modules;
		try (Stream<Path> files = Files.list(Path.of("."))) {
			modules = files.filter((file) -> Files.isDirectory(file.resolve("src/main/java")))
				.filter((file) -> file.getFileName().toString().startsWith("mcp-"))
				.sorted()
				.toList();
		}
		System.out.println("| module | files | code lines | public types | of them in the root package | outside the API | test code lines |");
		System.out.println("|---|---|---|---|---|---|---|");
		long[] sum = new long[6];
		for (Path module : modules) {
			List<Path> main = sources(module.resolve("src/main/java"));
			long[] row = { main.size(), lines(main), publicTypes(main).count(),
					publicTypes(main).filter((file) -> file.getParent().endsWith("io/github/mcpclient")).count(),
					publicTypes(main).filter((file) -> !API.contains(packageName(module, file))).count(),
					lines(sources(module.resolve("src/test/java"))) };
			print(module.getFileName().toString(), row);
			for (int i = 0; i < row.length; i++) {
				sum[i] += row[i];
			}
		}
		print("all", sum);
		System.out.println();
		System.out.println("| package | files | largest knot | of |");
		System.out.println("|---|---|---|---|");
		for (Path module : modules) {
			packages(module.resolve("src/main/java")).forEach((name, files) -> {
				List<String> knot = largestKnot(files);
				if (knot.size() > 1) {
					System.out.println("| " + name + " | " + files.size() + " | " + knot.size() + " | "
							+ String.join(", ", knot) + " |");
				}
			});
		}
	}

	private static String packageName(Path module, Path file) {
		return module.resolve("src/main/java/io/github/mcpclient")
			.relativize(file.getParent())
			.toString()
			.replace('/', '.');
	}

	private static void print(String name, long[] row) {
		System.out.println("| " + name + " | "
				+ LongStream.of(row).mapToObj(String::valueOf).collect(Collectors.joining(" | "))
				+ " |");
	}

	private static List<Path> sources(Path folder) throws IOException {
		if (!Files.isDirectory(folder)) {
			return List.of();
		}
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).sorted().toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Lines without comments, blanks and imports.
	 */
	private static long lines(List<Path> files) {
		return files.stream()
			.flatMap((file) -> read(file).lines())
			.filter((line) -> !NOT_CODE.matcher(line).matches())
			.count();
	}

	private static Stream<Path> publicTypes(List<Path> files) {
		return files.stream().filter((file) -> PUBLIC_TYPE.matcher(read(file)).find());
	}

	private static Map<String, List<Path>> packages(Path folder) {
		try {
			return sources(folder).stream()
				.filter((file) -> !file.endsWith("package-info.java"))
				.collect(Collectors.groupingBy(
						(file) -> folder.relativize(file.getParent()).toString().replace('/', '.'), TreeMap::new,
						Collectors.toList()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> largestKnot(List<Path> files) {
		Map<String, Set<String>> uses = new LinkedHashMap<>();
		Set<String> names = files.stream().map(Measure::name).collect(Collectors.toSet());
		for (Path file : files) {
			String code = TEXT.matcher(COMMENT.matcher(read(file)).replaceAll(" ")).replaceAll("\"\"");
			Set<String> used = new HashSet<>();
			for (Matcher name = NAME.matcher(code); name.find();) {
				if (names.contains(name.group()) && !name.group().equals(name(file))
						// one of the same name, of another package
						&& !code.contains("." + name.group() + ";")) {
					used.add(name.group());
				}
			}
			uses.put(name(file), used);
		}
		return new Knots(uses).all.stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
	}

	private static String name(Path file) {
		return file.getFileName().toString().replace(".java", "");
	}

	/**
	 * Strongly connected components, by Tarjan's algorithm.
	 */
	private static final class Knots {

		private final List<List<String>> all = new ArrayList<>();

		private final Map<String, Set<String>> uses;

		private final Map<String, Integer> index = new HashMap<>();

		private final Map<String, Integer> low = new HashMap<>();

		private final Deque<String> stack = new ArrayDeque<>();

		Knots(Map<String, Set<String>> uses) {
			this.uses = uses;
			uses.keySet().stream().filter((name) -> !this.index.containsKey(name)).forEach(this::visit);
		}

		private void visit(String name) {
			this.index.put(name, this.index.size());
			this.low.put(name, this.index.get(name));
			this.stack.push(name);
			for (String used : this.uses.get(name)) {
				if (!this.index.containsKey(used)) {
					visit(used);
					this.low.merge(name, this.low.get(used), Math::min);
				}
				else if (this.stack.contains(used)) {
					this.low.merge(name, this.index.get(used), Math::min);
				}
			}
			if (this.low.get(name).equals(this.index.get(name))) {
				List<String> knot = new ArrayList<>();
				String member;
				do {
					member = this.stack.pop();
					knot.add(member);
				}
				while (!member.equals(name));
				knot.sort(null);
				this.all.add(knot);
			}
		}

	}

}
