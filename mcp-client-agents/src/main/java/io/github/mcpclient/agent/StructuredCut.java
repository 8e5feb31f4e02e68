package io.github.mcpclient.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a structured value so that its JSON has at most so many characters: whole items of
 * arrays, members of objects, and the end of texts are omitted. Records the places. For
 * use by one thread.
 */
final class StructuredCut {

	// so much is worth being shown of a value that is cut itself
	private static final int LEAST_SHARE = 200;

	private static final int MAX_PLACES = 3;

	private static final int LONGEST_POINTER = 60;

	private final List<String> places = new ArrayList<>();

	private boolean elsewhere;

	/**
	 * Return the value, or what fits of it.
	 * @param pointer where the value is
	 */
	@Nullable Object cut(@Nullable Object value, int limit, String pointer) {
		return cut(value, limit, pointer, 0);
	}

	/**
	 * Return what fits of a text, a list or an object from an offset on: of characters,
	 * items or members.
	 */
	@Nullable Object cut(@Nullable Object value, int limit, String pointer, int offset) {
		if (offset == 0 && size(value, limit) <= limit) {
			return value;
		}
		if (value instanceof String text) {
			int begin = Printable.cut(text, offset).length();
			int end = begin + Printable.cut(text.substring(begin), fitting(text.substring(begin), limit)).length();
			leftOut(pointer, end, text.length(), "characters");
			return text.substring(begin, end);
		}
		if (value instanceof List<?> list) {
			Stream<Member> rest = list.stream().skip(offset).map((item) -> new Member(null, item, limit));
			List<@Nullable Object> items = new ArrayList<>();
			List<Member> fitting = shareInOrder(rest.iterator(), limit);
			leftOut(pointer, offset + fitting.size(), list.size(), "items");
			fitting.forEach((item) -> items.add(cut(item.value, item.share - item.nameSize, pointer + "/" + offset)));
			return items;
		}
		return (value instanceof Map<?, ?> map) ? cut(map, limit, pointer, offset) : value;
	}

	private Map<String, ?> cut(Map<?, ?> map, int limit, String pointer, int offset) {
		Stream<Member> rest = map.entrySet()
			.stream()
			.skip(offset)
			.map((member) -> new Member(String.valueOf(member.getKey()), member.getValue(), limit));
		boolean few = offset == 0 && (long) map.size() * LEAST_SHARE <= limit - 2;
		List<Member> fitting = few ? share(rest.toList(), limit) : shareInOrder(rest.iterator(), limit);
		leftOut(pointer, offset + fitting.size(), map.size(), "members");
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		fitting.forEach((member) -> members.put(member.name, cut(member.value, member.share - member.nameSize,
				pointer + "/" + member.name.replace("~", "~0").replace("/", "~1"))));
		return members;
	}

	// the first ones, so that reading continues from one place
	private static List<Member> shareInOrder(Iterator<Member> all, int limit) {
		List<Member> fitting = new ArrayList<>();
		int rest = limit - 2;
		while (all.hasNext()) {
			Member member = all.next();
			if (member.size > rest && !(fitting.isEmpty() && member.isWorth(rest))) {
				break;
			}
			member.share = Math.min(member.size, rest);
			rest -= member.share;
			fitting.add(member);
		}
		return fitting;
	}

	// the small ones, and of large ones a fair share of the remaining space
	private static List<Member> share(List<Member> all, int limit) {
		int rest = limit - 2;
		int left = all.size();
		for (Member member : all.stream().sorted(Comparator.comparingInt((member) -> member.size)).toList()) {
			int share = Math.min(member.size, rest / left--);
			member.share = (share == member.size || member.isWorth(share)) ? share : 0;
			rest -= member.share;
		}
		return all.stream().filter((member) -> member.share > 0).toList();
	}

	private void leftOut(String pointer, int end, int all, String what) {
		if (end >= all) {
			return;
		}
		if (this.places.size() == MAX_PLACES || pointer.length() > LONGEST_POINTER
				|| !Printable.text(pointer).equals(pointer)) {
			this.elsewhere = true;
		}
		else {
			this.places.add(String.format(Locale.ROOT, "%,d of %,d %s at \"%s\" (from %d on)", all - end, all, what,
					NoteSpoofing.neutralize(pointer), end));
		}
	}

	/**
	 * Return what was omitted, and where, as JSON pointers.
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
	 * An item of an array or a member of an object, and how much of it fits.
	 */
	private static final class Member {

		private final String name;

		private final @Nullable Object value;

		// with what is between it, its value and the next
		private final int nameSize;

		private final int size;

		private int share;

		private Member(@Nullable String name, @Nullable Object value, int limit) {
			this.name = (name != null) ? name : "";
			this.value = value;
			this.nameSize = (name != null) ? 2 + StructuredCut.size(name, limit) : 1;
			this.size = this.nameSize + StructuredCut.size(value, limit);
		}

		// whether so much of it is worth being shown
		boolean isWorth(int share) {
			return share >= LEAST_SHARE && this.nameSize < share / 2
					&& (this.value instanceof String || this.value instanceof Collection || this.value instanceof Map);
		}

	}

}
