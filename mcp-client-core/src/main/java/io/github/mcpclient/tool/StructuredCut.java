package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a structured value so that its JSON has at most so many characters: whole items of
 * arrays, members of objects, and the end of texts are left out. Keeps a record of where.
 * For use by one thread.
 */
final class StructuredCut {

	// so much is worth being shown of a value that is cut itself
	private static final int LEAST_SHARE = 200;

	private static final int MAX_PLACES = 5;

	private static final int LONGEST_POINTER = 60;

	private final List<String> places = new ArrayList<>();

	private boolean elsewhere;

	/**
	 * Return the value, or what fits of it.
	 */
	@Nullable Object cut(@Nullable Object value, int limit, String pointer) {
		if (size(value, limit) <= limit) {
			return value;
		}
		if (value instanceof String text) {
			String start = Printable.cut(text, fitting(text, limit));
			leftOut(pointer, start.length(), text.length(), "characters");
			return start;
		}
		if (value instanceof List<?> list) {
			return cut(list, limit, pointer);
		}
		return (value instanceof Map<?, ?> map) ? cut(map, limit, pointer) : value;
	}

	// the first items, so that there is one place to go on from
	private List<?> cut(List<?> list, int limit, String pointer) {
		List<@Nullable Object> items = new ArrayList<>();
		int rest = limit - 2;
		for (Object item : list) {
			int size = size(item, rest) + 1;
			boolean first = items.isEmpty();
			if (size > rest && !(first && isDivisible(item) && rest >= LEAST_SHARE)) {
				break;
			}
			items.add((size > rest) ? cut(item, rest - 1, pointer + "/0") : item);
			rest -= Math.min(size, rest);
		}
		if (items.size() < list.size()) {
			leftOut(pointer, items.size(), list.size(), "items");
		}
		return items;
	}

	// the small members, and of large ones a fair share of what is left
	private Map<String, ?> cut(Map<?, ?> map, int limit, String pointer) {
		List<Member> all = map.entrySet().stream().map((member) -> new Member(member, limit)).toList();
		int rest = limit - 2;
		int left = all.size();
		for (Member member : all.stream().sorted(Comparator.comparingInt((member) -> member.size)).toList()) {
			int share = Math.min(member.size, Math.max(rest / left--, LEAST_SHARE));
			boolean fits = share == member.size || (isDivisible(member.value) && member.nameSize < share / 2);
			member.share = (fits && share <= rest) ? share : 0;
			rest -= member.share;
		}
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		all.stream()
			.filter((member) -> member.share > 0)
			.forEach((member) -> members.put(member.name, cut(member.value, member.share - member.nameSize,
					pointer + "/" + member.name.replace("~", "~0").replace("/", "~1"))));
		if (members.size() < map.size()) {
			leftOut(pointer, members.size(), map.size(), "members");
		}
		return members;
	}

	private static boolean isDivisible(@Nullable Object value) {
		return value instanceof String || value instanceof Collection || value instanceof Map;
	}

	private void leftOut(String pointer, int kept, int all, String what) {
		if (this.places.size() == MAX_PLACES || pointer.length() > LONGEST_POINTER
				|| !Printable.text(pointer).equals(pointer)) {
			this.elsewhere = true;
		}
		else {
			this.places.add(String.format(Locale.ROOT, "%,d of %,d %s at \"%s\"", all - kept, all, what,
					Imitations.disclose(pointer)));
		}
	}

	/**
	 * Return what was left out, and where, as JSON pointers.
	 */
	String leftOut() {
		return String.join(", ", this.places) + (this.elsewhere ? " and more elsewhere" : "");
	}

	/**
	 * Return how many characters a value has as JSON, or more than the limit if it has
	 * more than that.
	 */
	static int size(@Nullable Object value, int limit) {
		int size = 2;
		if (value instanceof String text) {
			for (int i = 0; i < text.length() && size <= limit; i++) {
				size += size(text.charAt(i));
			}
			return size;
		}
		if (value instanceof List<?> list) {
			for (Object item : list) {
				size += 1 + size(item, limit - size);
				if (size > limit) {
					return size;
				}
			}
			return size;
		}
		if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				size += 2 + size(member.getKey(), limit - size);
				size += (size > limit) ? 0 : size(member.getValue(), limit - size);
				if (size > limit) {
					return size;
				}
			}
			return size;
		}
		return String.valueOf(value).length();
	}

	// how much of a text has no more characters as JSON
	private static int fitting(String text, int limit) {
		int end = 0;
		for (int size = 2; end < text.length() && size + size(text.charAt(end)) <= limit; end++) {
			size += size(text.charAt(end));
		}
		return end;
	}

	private static int size(char c) {
		if (c >= ' ') {
			return (c == '"' || c == '\\') ? 2 : 1;
		}
		return (c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f') ? 2 : 6;
	}

	/**
	 * A member of an object, and how much of it fits.
	 */
	private static final class Member {

		private final String name;

		private final @Nullable Object value;

		// with what is between it, its value and the next
		private final int nameSize;

		private final int size;

		private int share;

		private Member(Map.Entry<?, ?> member, int limit) {
			this.name = String.valueOf(member.getKey());
			this.value = member.getValue();
			this.nameSize = 2 + StructuredCut.size(this.name, limit);
			this.size = this.nameSize + StructuredCut.size(this.value, limit);
		}

	}

}
