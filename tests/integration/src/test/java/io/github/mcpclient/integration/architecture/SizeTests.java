package io.github.mcpclient.integration.architecture;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.github.mcpclient.testsupport.ProjectFiles;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a module can be read in a day, and a class without all the others: a figure
 * that is over its limit asks for a boundary, not for a higher limit.
 */
@AnalyzeClasses(packages = "io.github.mcpclient",
		importOptions = { DoNotIncludeTests.class, ArchitectureTests.ThisModule.class })
class SizeTests {

	private static final Pattern NOT_CODE = Pattern.compile("\\s*(\\*.*|/\\*.*|//.*|import .*|package .*)?");

	private static final int LINES_OF_A_MODULE = 12_500;

	private static final int LINES_OF_CORE = 9_700;

	private static final int LINES_OF_TOOL = 2_200;

	private static final int FILES_OF_TOOL = 30;

	private static final int LINES_OF_THE_CATALOG = 250;

	private static final int TYPES_OF_THE_CATALOG = 20;

	private static final int LONGEST_CHAIN = 20;

	private static final int CLASSES_OF_A_CALL = 18;

	@ArchTest
	void aModuleIsReadInADay(JavaClasses classes) {
		Map<String, Long> lines = new TreeMap<>();
		for (Path module : modules()) {
			lines.put(module.getFileName().toString(), lines(sources(module.resolve("src/main/java"))));
		}
		assertThat(lines).hasSizeGreaterThan(8).containsKey("mcp-client-core");
		assertThat(lines.values()).allSatisfy((count) -> assertThat(count).isLessThanOrEqualTo(LINES_OF_A_MODULE));
		assertThat(lines.get("mcp-client-core")).isLessThanOrEqualTo(LINES_OF_CORE);
	}

	@ArchTest
	void theCatalogOfToolsIsSmall(JavaClasses classes) {
		List<Path> tool = sources(ProjectFiles.of("mcp-client-core/src/main/java")).stream()
			.filter((file) -> file.getParent().endsWith("tool"))
			.toList();
		assertThat(tool).hasSizeBetween(10, FILES_OF_TOOL);
		assertThat(lines(tool)).isLessThanOrEqualTo(LINES_OF_TOOL);
		assertThat(lines(tool.stream().filter((file) -> file.endsWith("ToolCatalog.java")).toList())).isBetween(1L,
				(long) LINES_OF_THE_CATALOG);
		Map<String, Set<String>> uses = uses(classes);
		assertThat(uses.get(name("ToolCatalog", uses))).hasSizeLessThanOrEqualTo(TYPES_OF_THE_CATALOG);
	}

	// the list of the page, whose names another test looks up
	@ArchTest
	void aCallPassesFewClassesOnItsWayOut(JavaClasses classes) {
		String page = read(ProjectFiles.of("docs/architecture.md")).collect(Collectors.joining("\n"));
		String out = page.substring(page.indexOf("\n- out: "), page.indexOf("\n- back: "));
		long alternatives = out.split("` or `", -1).length - 1;
		assertThat(Pattern.compile("`\\w+`").matcher(out).results().count() - alternatives).isBetween(10L,
				(long) CLASSES_OF_A_CALL);
	}

	@ArchTest
	void noChainOfClassesIsLong(JavaClasses classes) {
		Map<String, Set<String>> uses = uses(classes);
		Map<String, Set<String>> reached = new HashMap<>();
		uses.keySet().forEach((name) -> reached.put(name, reachable(name, uses)));
		Map<String, List<String>> chains = new HashMap<>();
		List<String> longest = uses.keySet()
			.stream()
			.map((name) -> chain(name, uses, reached, chains))
			.max(Comparator.comparing(List::size))
			.orElseThrow();
		assertThat(longest).hasSizeBetween(5, LONGEST_CHAIN);
	}

	// classes that know each other count as one
	private static List<String> chain(String name, Map<String, Set<String>> uses, Map<String, Set<String>> reached,
			Map<String, List<String>> chains) {
		List<String> known = chains.get(name);
		if (known != null) {
			return known;
		}
		Set<String> knot = reached.get(name)
			.stream()
			.filter((other) -> reached.get(other).contains(name))
			.collect(Collectors.toCollection(TreeSet::new));
		knot.add(name);
		List<String> next = knot.stream()
			.flatMap((member) -> uses.get(member).stream())
			.filter((used) -> !knot.contains(used))
			.map((used) -> chain(used, uses, reached, chains))
			.max(Comparator.comparing(List::size))
			.orElse(List.of());
		List<String> chain = new ArrayList<>(List.of(name));
		chain.addAll(next);
		knot.forEach((member) -> chains.put(member, chain));
		return chain;
	}

	private static Set<String> reachable(String name, Map<String, Set<String>> uses) {
		Set<String> reached = new HashSet<>();
		Deque<String> open = new ArrayDeque<>(uses.get(name));
		while (!open.isEmpty()) {
			String next = open.pop();
			if (reached.add(next)) {
				open.addAll(uses.get(next));
			}
		}
		return reached;
	}

	// by top-level class, within the project
	private static Map<String, Set<String>> uses(JavaClasses classes) {
		Map<String, Set<String>> uses = new TreeMap<>();
		for (JavaClass type : classes) {
			Set<String> used = uses.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map(Dependency::getTargetClass)
				.filter((target) -> target.getPackageName().startsWith("io.github.mcpclient"))
				// who names another auto-configuration comes after it, and uses nothing
				// of it
				.filter((target) -> !target.isAnnotatedWith(AutoConfiguration.class))
				.map(SizeTests::topLevel)
				.filter((name) -> !name.equals(topLevel(type)))
				.forEach(used::add);
		}
		uses.values().forEach((used) -> used.retainAll(uses.keySet()));
		return uses;
	}

	private static String topLevel(JavaClass type) {
		return type.getFullName().replaceFirst("[\\[$].*", "");
	}

	private static String name(String simpleName, Map<String, Set<String>> uses) {
		return uses.keySet().stream().filter((name) -> name.endsWith("." + simpleName)).findFirst().orElseThrow();
	}

	private static List<Path> modules() {
		try (Stream<Path> files = Files.list(ProjectFiles.of("."))) {
			return files.filter((file) -> file.getFileName().toString().startsWith("mcp-"))
				.filter((file) -> Files.isDirectory(file.resolve("src/main/java")))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Without comments, blanks and imports.
	 */
	private static long lines(List<Path> files) {
		return files.stream().flatMap(SizeTests::read).filter((line) -> !NOT_CODE.matcher(line).matches()).count();
	}

	private static Stream<String> read(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
