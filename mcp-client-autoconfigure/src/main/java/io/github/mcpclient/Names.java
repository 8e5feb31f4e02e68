package io.github.mcpclient;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds the names that a user may have meant.
 */
final class Names {

	private static final int SUGGESTIONS = 3;

	private static final int LONGEST = 128;

	private Names() {
	}

	static List<String> nearest(String name, Collection<String> known) {
		// a name may come from a model: its length bounds the work here
		String wanted = normalize(name);
		int tolerance = Math.max(2, wanted.length() / 3);
		return known.stream()
			.map((candidate) -> new Candidate(candidate, distance(wanted, normalize(candidate))))
			.filter((candidate) -> candidate.distance() <= tolerance)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
			.limit(SUGGESTIONS)
			.map(Candidate::name)
			.toList();
	}

	private static String normalize(String name) {
		String head = (name.length() > LONGEST) ? name.substring(0, LONGEST) : name;
		return head.toLowerCase(Locale.ROOT).replace('-', '_');
	}

	private static int distance(String first, String second) {
		int[] previous = new int[second.length() + 1];
		int[] current = new int[second.length() + 1];
		for (int j = 0; j <= second.length(); j++) {
			previous[j] = j;
		}
		for (int i = 1; i <= first.length(); i++) {
			current[0] = i;
			for (int j = 1; j <= second.length(); j++) {
				int substitution = (first.charAt(i - 1) == second.charAt(j - 1)) ? 0 : 1;
				current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + substitution);
			}
			int[] swap = previous;
			previous = current;
			current = swap;
		}
		return previous[second.length()];
	}

	private record Candidate(String name, int distance) {
	}

}
