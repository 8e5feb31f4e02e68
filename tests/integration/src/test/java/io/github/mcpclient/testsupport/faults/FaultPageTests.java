package io.github.mcpclient.testsupport.faults;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ProjectFiles;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each fault is proved to be survived over each transport that it concerns,
 * and that {@code docs/faults.md} says so. Writes the tables of that page with the system
 * property {@code faults.write}.
 */
class FaultPageTests {

	private static final Path PAGE = ProjectFiles.of("docs/faults.md");

	private static Collection<Proof> proofs;

	@BeforeAll
	static void findProofs() throws IOException {
		ClassLoader here = Thread.currentThread().getContextClassLoader();
		Map<String, Proof> found = new TreeMap<>();
		try (URLClassLoader all = new URLClassLoader(testsOfModules(), here)) {
			Thread.currentThread().setContextClassLoader(all);
			ReflectionSupport
				.findAllClassesInPackage("io.github.mcpclient", (type) -> !type.isAnnotationPresent(Disabled.class),
						(name) -> name.endsWith("Tests"))
				.stream()
				.flatMap(FaultPageTests::methods)
				.filter((method) -> !method.isAnnotationPresent(Disabled.class))
				.forEach((method) -> Arrays.stream(method.getAnnotationsByType(Fault.class))
					.map((fault) -> Proof.of(fault, method))
					.forEach((proof) -> found.merge(proof.key(), proof, Proof::and)));
		}
		finally {
			Thread.currentThread().setContextClassLoader(here);
		}
		proofs = found.values();
	}

	// what a module tests with what is only on its own class path proves no fault
	private static Stream<Method> methods(Class<?> type) {
		try {
			return Arrays.stream(type.getDeclaredMethods());
		}
		catch (NoClassDefFoundError ex) {
			return Stream.empty();
		}
	}

	private static URL[] testsOfModules() throws IOException {
		try (Stream<Path> modules = Files.list(ProjectFiles.root())) {
			return modules.filter((module) -> module.getFileName().toString().startsWith("mcp-client-"))
				.map((module) -> module.resolve("target/test-classes"))
				.filter(Files::isDirectory)
				.map((tests) -> Unchecked.get(() -> tests.toUri().toURL()))
				.toArray(URL[]::new);
		}
	}

	@Test
	void eachFaultIsProvedOverEachTransportThatItConcerns() {
		for (FaultKind kind : FaultKind.values()) {
			Set<Transport> proved = EnumSet.noneOf(Transport.class);
			proofs.stream().filter((proof) -> proof.kind() == kind).forEach((proof) -> proved.addAll(proof.over()));
			assertThat(proved).as(kind.title())
				.containsExactlyElementsOf(Stream.of(Transport.values()).filter(kind::concerns).toList());
		}
	}

	@Test
	void pageHasTheProofs() throws IOException {
		String page = Files.readString(PAGE);
		String current = withTable(withTable(page, "| | fault |", matrix()), "| | tests |", tests());
		if (Boolean.getBoolean("faults.write")) {
			Files.writeString(PAGE, current);
		}
		else {
			assertThat(page).as("docs/faults.md, which -Dfaults.write=true writes").isEqualTo(current);
		}
	}

	private static String withTable(String page, String heading, Stream<String> rows) {
		Matcher table = Pattern.compile("(?m)^" + Pattern.quote(heading) + ".*\\n.*\\n((\\|.*\\n)*)").matcher(page);
		assertThat(table.find()).as(heading).isTrue();
		return page.substring(0, table.start(1)) + rows.map((row) -> "| " + row + " |\n").collect(Collectors.joining())
				+ page.substring(table.end(1));
	}

	private static Stream<String> matrix() {
		return Stream.of(FaultKind.values())
			.map((kind) -> number(kind) + " | " + kind.title() + " | "
					+ Stream.of(Transport.values())
						.map((transport) -> kind.concerns(transport) ? "✓" : "–")
						.collect(Collectors.joining(" | ")));
	}

	private static Stream<String> tests() {
		return Stream.of(FaultKind.values())
			.map((kind) -> number(kind) + " | "
					+ proofs.stream()
						.filter((proof) -> proof.kind() == kind)
						.sorted(Comparator.comparing(Proof::test))
						.map(Proof::title)
						.collect(Collectors.joining(", ")));
	}

	private static String number(FaultKind kind) {
		return Integer.toString(kind.ordinal() + 1);
	}

	private record Proof(FaultKind kind, String test, Set<Transport> over, Survival survival) {

		static Proof of(Fault fault, Method method) {
			return new Proof(fault.value(), method.getDeclaringClass().getSimpleName() + "." + method.getName(),
					EnumSet.copyOf(FaultKind.transports(fault)), method.getAnnotation(Survival.class));
		}

		String key() {
			return this.kind + this.test;
		}

		String title() {
			return "`" + this.test + "`" + ((this.survival != null)
					? " (" + this.survival.within() + " s, " + this.survival.cycles() + ")" : "");
		}

		Proof and(Proof other) {
			this.over.addAll(other.over);
			return this;
		}

	}

}
