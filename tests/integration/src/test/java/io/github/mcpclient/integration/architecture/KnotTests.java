package io.github.mcpclient.integration.architecture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no classes of a package are tied into a knot: a group in which each knows
 * all others, directly or not, is read and changed as a whole.
 */
@AnalyzeClasses(packages = "io.github.mcpclient",
		importOptions = { DoNotIncludeTests.class, KnotTests.NoFixtures.class })
class KnotTests {

	private static final int LARGEST_KNOT = 6;

	@ArchTest
	void knotsAreSmall(JavaClasses classes) {
		Map<String, Set<String>> uses = new TreeMap<>();
		for (JavaClass type : classes) {
			Set<String> used = uses.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map(Dependency::getTargetClass)
				.filter((target) -> target.getPackageName().equals(type.getPackageName()))
				.map(KnotTests::topLevel)
				.forEach(used::add);
		}
		Map<String, Set<String>> reached = uses.keySet()
			.stream()
			.collect(Collectors.toMap(Function.identity(), (name) -> reachable(name, uses)));
		assertThat(reached.keySet()).hasSizeGreaterThan(300).allSatisfy((name) -> {
			List<String> knot = reached.get(name)
				.stream()
				.filter((other) -> reached.getOrDefault(other, Set.of()).contains(name))
				.toList();
			assertThat(knot).hasSizeLessThanOrEqualTo(LARGEST_KNOT);
		});
	}

	private static Set<String> reachable(String name, Map<String, Set<String>> uses) {
		Set<String> reached = new TreeSet<>();
		Deque<String> open = new ArrayDeque<>(uses.get(name));
		while (!open.isEmpty()) {
			String next = open.pop();
			if (reached.add(next)) {
				open.addAll(uses.getOrDefault(next, Set.of()));
			}
		}
		return reached;
	}

	private static String topLevel(JavaClass type) {
		return type.getFullName().replaceFirst("\\$.*", "");
	}

	static final class NoFixtures implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/fixtures");
		}

	}

}
