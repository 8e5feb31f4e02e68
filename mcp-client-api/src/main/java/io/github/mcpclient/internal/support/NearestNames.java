package io.github.mcpclient.internal.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds names that are similar to an unknown name. The name may come from a model and the
 * known names from servers: the length of the compared names and the total work are
 * limited, regardless of their number.
 */
public final class NearestNames {

	private static final int SUGGESTIONS = 3;

	private static final int LONGEST = 128;

	private static final int MAX_TOLERANCE = 10;

	// in cells of the tables of distances: about ten milliseconds
	private static final long MAX_WORK = 10_000_000;

	private NearestNames() {
	}

	/**
	 * Return the known names that are nearest to a name, at most three, nearest first.
	 * Ignores case, and whether words are joined by {@code -} or {@code _}.
	 */
	public static List<String> of(String name, Collection<String> known) {
		String wanted = normalize(name);
		int tolerance = Math.min(Math.max(2, wanted.length() / 3), MAX_TOLERANCE);
		long maxNames = MAX_WORK / ((2L * tolerance + 1) * (wanted.length() + tolerance));
		return known.stream()
			.filter((other) -> Math.abs(wanted.length() - Math.min(other.length(), LONGEST)) <= tolerance)
			.limit(maxNames)
			.map((other) -> new Candidate(other, distance(wanted, normalize(other), tolerance)))
			.filter((candidate) -> candidate.distance() <= tolerance)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
			.limit(SUGGESTIONS)
			.map(Candidate::name)
			.toList();
	}

	private static String normalize(String name) {
		return name.substring(0, Math.min(name.length(), LONGEST)).toLowerCase(Locale.ROOT).replace('-', '_');
	}

	/**
	 * Return how many characters have to be inserted, removed or replaced to convert one
	 * text to the other.
	 * @param limit the largest distance of interest, which limits the work
	 * @return the distance, or more than the limit if it is larger
	 */
	public static int distance(String first, String second, int limit) {
		if (Math.abs(first.length() - second.length()) > limit) {
			return limit + 1;
		}
		int[] row = new int[second.length() + 1];
		for (int j = 0; j <= second.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= first.length(); i++) {
			int from = Math.max(1, i - limit);
			int to = Math.min(second.length(), i + limit);
			int diagonal = row[from - 1];
			// values outside of the band are too far away
			row[from - 1] = (from == 1) ? i : limit + 1;
			int shortest = row[from - 1];
			for (int j = from; j <= to; j++) {
				int substitution = diagonal + ((first.charAt(i - 1) == second.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(substitution, Math.min(diagonal, row[j - 1]) + 1);
				shortest = Math.min(shortest, row[j]);
			}
			if (shortest > limit) {
				return limit + 1;
			}
		}
		return Math.min(row[second.length()], limit + 1);
	}

	private record Candidate(String name, int distance) {
	}

}
