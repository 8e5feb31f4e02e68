package io.github.mcpclient.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.management.McpToolPin.Change;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two definitions of a tool, within a limit of size: equal parts
 * are neither written nor stored.
 */
final class DefinitionChanges {

	static final String TOO_LARGE = "too large to show";

	private static final int MAX_CHANGES = 50;

	private static final int LONGEST_VALUE = 300;

	// of a value in which the difference is looked for
	private static final int LONGEST_SEARCHED = 100_000;

	private static final int LONGEST_POINTER = 500;

	// how much of a common beginning is shown before the difference
	private static final int SHARED = 40;

	private static final Object ABSENT = new Object();

	private final UnaryOperator<String> masking;

	private final List<Change> changes = new ArrayList<>();

	private DefinitionChanges(UnaryOperator<String> masking) {
		this.masking = masking;
	}

	static List<Change> between(Map<String, Object> approved, Map<String, Object> listed,
			UnaryOperator<String> masking) {
		DefinitionChanges changes = new DefinitionChanges(masking);
		changes.compare("", approved, listed);
		return changes.changes;
	}

	private boolean isFull() {
		return this.changes.size() == MAX_CHANGES;
	}

	private void compare(String pointer, @Nullable Object before, @Nullable Object now) {
		boolean opened = pointer.length() <= LONGEST_POINTER && (hasItems(before) || hasItems(now));
		if (!opened) {
			if (before == ABSENT || now == ABSENT || !isSame(before, now)) {
				add(pointer, before, now);
			}
			return;
		}
		if (before != ABSENT && !hasItems(before)) {
			add(pointer, before, ABSENT);
		}
		if (now != ABSENT && !hasItems(now)) {
			add(pointer, ABSENT, now);
		}
		compareMembers(pointer, members(before), members(now));
		compareItems(pointer, items(before), items(now));
	}

	private static boolean hasItems(@Nullable Object value) {
		return !members(value).isEmpty() || !items(value).isEmpty();
	}

	private static Map<?, ?> members(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? map : Map.of();
	}

	private static Collection<?> items(@Nullable Object value) {
		return (value instanceof Collection<?> list) ? list : List.of();
	}

	private void compareMembers(String pointer, Map<?, ?> before, Map<?, ?> now) {
		Set<String> names = new TreeSet<>();
		before.keySet().forEach((name) -> names.add(String.valueOf(name)));
		now.keySet().forEach((name) -> names.add(String.valueOf(name)));
		for (String name : names) {
			if (isFull()) {
				return;
			}
			compare(pointer + "/" + name.replace("~", "~0").replace("/", "~1"),
					before.containsKey(name) ? before.get(name) : ABSENT,
					now.containsKey(name) ? now.get(name) : ABSENT);
		}
	}

	private void compareItems(String pointer, Collection<?> before, Collection<?> now) {
		Iterator<?> items = before.iterator();
		Iterator<?> others = now.iterator();
		for (int i = 0; (items.hasNext() || others.hasNext()) && !isFull(); i++) {
			compare(pointer + "/" + i, items.hasNext() ? items.next() : ABSENT,
					others.hasNext() ? others.next() : ABSENT);
		}
	}

	// numbers may be of other types
	private static boolean isSame(@Nullable Object before, @Nullable Object now) {
		return Objects.equals(before, now) || Arrays.equals(CanonicalJson.hash(before), CanonicalJson.hash(now));
	}

	private void add(String pointer, @Nullable Object before, @Nullable Object now) {
		if (!isFull()) {
			this.changes.add(change(Printable.text(pointer), text(before), text(now)));
		}
	}

	private @Nullable String text(@Nullable Object value) {
		if (value == ABSENT) {
			return null;
		}
		String text = CanonicalJson.line(value, LONGEST_SEARCHED);
		return (text != null) ? this.masking.apply(text) : TOO_LARGE;
	}

	// the difference may be at the end of a long text
	private static Change change(String field, @Nullable String before, @Nullable String now) {
		int start = 0;
		if (before != null && now != null) {
			int shorter = Math.min(before.length(), now.length());
			while (start < shorter && before.charAt(start) == now.charAt(start)) {
				start++;
			}
			start = Math.max(0, start - SHARED);
		}
		return new Change(field, excerpt(before, start), excerpt(now, start));
	}

	private static @Nullable String excerpt(@Nullable String value, int start) {
		if (value == null || start == 0) {
			return (value != null) ? Printable.line(value, LONGEST_VALUE) : null;
		}
		// between characters
		return "..." + Printable.line(value.substring(value.offsetByCodePoints(0, value.codePointCount(0, start))),
				LONGEST_VALUE);
	}

}
