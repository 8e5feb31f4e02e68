package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NearestNames}.
 */
class NearestNamesTests {

	@Test
	void nearestComeFirstAndThreeAtMost() {
		List<String> known = List.of("github_search", "search", "serch", "searches", "unlike", "serac");
		assertThat(NearestNames.of("serach", known)).containsExactly("serac", "serch", "search");
		assertThat(NearestNames.of("unknown", known)).isEmpty();
		assertThat(NearestNames.of("GitHub-Search", known)).containsExactly("github_search");
		assertThat(NearestNames.of("", List.of("ab", "abc"))).containsExactly("ab");
		assertThat(NearestNames.of("x", List.of())).isEmpty();
	}

	@Test
	void distanceIsThatOfTheWholeTableUpToTheLimit() {
		Random random = new Random(42);
		for (int i = 0; i < 20_000; i++) {
			String first = text(random);
			String second = text(random);
			int limit = random.nextInt(8);
			assertThat(NearestNames.distance(first, second, limit)).as("%s %s %d", first, second, limit)
				.isEqualTo(Math.min(plainDistance(first, second), limit + 1));
		}
	}

	@Test
	void findsANameAmongTenThousand() {
		assertThat(NearestNames.of("github_search_repositorie", among(10_000, 25, "github_search_repositories")))
			.containsExactly("github_search_repositories");
	}

	@Test
	void workIsBoundedWhateverTheNames() {
		assertThat(NearestNames.of("x".repeat(200), among(100_000, 128, "x".repeat(127)))).isEmpty();
	}

	private static List<String> among(int count, int length, String last) {
		return Stream
			.concat(IntStream.range(0, count).mapToObj((i) -> (i + "y".repeat(length)).substring(0, length)),
					Stream.of(last))
			.toList();
	}

	private static String text(Random random) {
		return random.ints(random.nextInt(7), 'a', 'd')
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	private static int plainDistance(String first, String second) {
		if (first.isEmpty() || second.isEmpty()) {
			return first.length() + second.length();
		}
		String head = first.substring(1);
		String other = second.substring(1);
		return (first.charAt(0) == second.charAt(0)) ? plainDistance(head, other) : 1 + Math
			.min(plainDistance(head, other), Math.min(plainDistance(head, second), plainDistance(first, other)));
	}

}
