package io.github.mcpclient.internal.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Splits texts and names into words in their basic form.
 */
final class Words {

	// which say nothing of what is wanted
	private static final Set<String> STOP_WORDS = Set.of(("a about all also am an and any are as at be been but by can"
			+ " could did do does for from had has have he her him his how i if in into is it its just may me more my no"
			+ " not of on or our please she should so some such than that the their them then there these they this those"
			+ " to too us use used using via want was we were what when where which while who why will with would you"
			+ " your")
		.split(" "));

	// what users and tools call the same
	private static final Map<String, Set<String>> SYNONYMS = synonyms("get read show view fetch retrieve display look",
			"search find query look", "list all enumerate", "create add new make insert", "write save store",
			"delete remove erase forget", "update edit change modify set replace", "move rename", "send post publish",
			"reply answer respond", "run execute exec", "remember memory", "directory folder dir",
			"image picture photo img", "page site website", "user person people member account", "repository repo",
			"issue bug ticket", "pull pr", "request pr", "documentation docs doc", "database db", "message msg",
			"email mail", "event meeting appointment", "error exception failure", "environment env",
			"configuration config settings", "command shell terminal", "kubernetes k8s");

	private Words() {
	}

	private static Map<String, Set<String>> synonyms(String... groups) {
		Map<String, Set<String>> synonyms = new HashMap<>();
		for (String group : groups) {
			List<String> words = Stream.of(group.split(" ")).map(Words::stem).toList();
			words.forEach((word) -> words.stream()
				.filter((other) -> !other.equals(word))
				.forEach(synonyms.computeIfAbsent(word, (first) -> new LinkedHashSet<>())::add));
		}
		return synonyms;
	}

	/**
	 * Return words that mean about the same as one.
	 */
	static Collection<String> synonyms(String word) {
		return SYNONYMS.getOrDefault(word, Set.of());
	}

	/**
	 * Split a text where words end, and within names like {@code listPullRequests} and
	 * {@code base64}, whose parts come before the whole.
	 */
	static void split(String text, int limit, Consumer<Word> words) {
		int length = Math.min(text.length(), limit);
		int whole = 0;
		int start = 0;
		for (int i = 0; i <= length; i++) {
			if (i == length || !Character.isLetterOrDigit(text.charAt(i))) {
				accept(text, start, i, start > whole, words);
				if (start > whole) {
					accept(text, whole, i, false, words);
				}
				whole = i + 1;
				start = i + 1;
			}
			else if (i > start && isStart(text, i, length)) {
				accept(text, start, i, true, words);
				start = i;
			}
		}
	}

	private static boolean isStart(String text, int i, int length) {
		char before = text.charAt(i - 1);
		char now = text.charAt(i);
		if (Character.isDigit(before) != Character.isDigit(now) || Character.isIdeographic(now)
				|| Character.isIdeographic(before)) {
			return true;
		}
		return Character.isUpperCase(now) && (Character.isLowerCase(before)
				|| (i + 1 < length && Character.isLowerCase(text.charAt(i + 1)) && !isPlural(text, i + 1, length)));
	}

	// as in URLs
	private static boolean isPlural(String text, int i, int length) {
		return text.charAt(i) == 's' && (i + 1 == length || !Character.isLetter(text.charAt(i + 1)));
	}

	private static void accept(String text, int from, int to, boolean part, Consumer<Word> words) {
		if (to > from + 1 || (to > from && Character.isIdeographic(text.charAt(from)))) {
			String word = text.substring(from, to).toLowerCase(Locale.ROOT);
			if (!STOP_WORDS.contains(word)) {
				words.accept(new Word(stem(word), part));
			}
		}
	}

	// enough for what tools do and what they do it to: deletes, deleted, deleting and
	// deletion are as delete, and entries as entry
	private static String stem(String word) {
		String stem = word;
		if (stem.length() > 3 && stem.endsWith("s") && !stem.endsWith("ss") && !stem.endsWith("us")) {
			stem = stem.endsWith("ies") ? without(stem, 3) + "y" : without(stem, 1);
		}
		int suffix = stem.endsWith("ing") ? 3 : (stem.endsWith("ed") || stem.endsWith("ly")) ? 2 : 0;
		if (suffix > 0 && stem.length() > suffix + 2) {
			stem = without(stem, suffix);
			int last = stem.length() - 1;
			if (last > 2 && stem.charAt(last) == stem.charAt(last - 1) && "ls".indexOf(stem.charAt(last)) == -1) {
				stem = without(stem, 1);
			}
		}
		else if (stem.length() > 6 && (stem.endsWith("tion") || stem.endsWith("sion"))) {
			stem = without(stem, 3);
		}
		return (stem.length() > 3 && stem.endsWith("e")) ? without(stem, 1) : stem;
	}

	private static String without(String word, int suffix) {
		return word.substring(0, word.length() - suffix);
	}

	/**
	 * A word.
	 *
	 * @param part whether it is one of the parts of a whole that follows
	 */
	record Word(String text, boolean part) {
	}

}
