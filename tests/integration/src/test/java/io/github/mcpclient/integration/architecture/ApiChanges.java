package io.github.mcpclient.integration.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.assertj.core.api.Assertions;

/**
 * How a list of the public API, as {@code build/PublicApi.java} prints it, differs from
 * another: what is broken, apart from what is new. Each entry is a line.
 *
 * @param broken what applications may use that was removed or changed, and what those who
 * implement an interface or extend a class have to add
 * @param deprecated what is to go
 * @param added what is new and breaks nobody
 */
record ApiChanges(List<String> broken, List<String> deprecated, List<String> added) {

	private static final Pattern DEPRECATED = Pattern.compile("@Deprecated(\\(.*?\\))? ");

	static ApiChanges between(List<String> before, List<String> now) {
		Map<String, Type> old = types(before);
		Map<String, Type> types = types(now);
		ApiChanges changes = new ApiChanges(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
		old.forEach((name, type) -> {
			if (types.containsKey(name)) {
				changes.compare(name, type, types.get(name));
			}
			else {
				changes.broken.add("removed " + type.head);
			}
		});
		types.forEach((name, type) -> {
			if (!old.containsKey(name)) {
				changes.added.add(type.head);
			}
		});
		return changes;
	}

	private void compare(String name, Type before, Type now) {
		compare("", before.head, now.head);
		before.members.forEach((key, member) -> {
			if (now.members.containsKey(key)) {
				compare(name + ": ", member, now.members.get(key));
			}
			else {
				this.broken.add("removed " + name + ": " + member);
			}
		});
		now.members.forEach((key, member) -> {
			if (before.members.containsKey(key)) {
				return;
			}
			if (now.leavesToOthers(member)) {
				this.broken.add("to be implemented " + name + ": " + member);
			}
			else {
				this.added.add(name + ": " + member);
			}
		});
	}

	private void compare(String place, String before, String now) {
		if (!DEPRECATED.matcher(before).replaceAll("").equals(DEPRECATED.matcher(now).replaceAll(""))) {
			this.broken.add("changed " + place + before + " -> " + now);
		}
		else if (!before.equals(now)) {
			this.deprecated.add(place + now);
		}
	}

	/**
	 * What a test says that fails because of these changes.
	 */
	String describe() {
		return section("broken", this.broken) + section("deprecated", this.deprecated) + section("new", this.added);
	}

	private static String section(String title, List<String> lines) {
		return lines.isEmpty() ? "" : "\n" + title + ":\n    " + String.join("\n    ", lines);
	}

	private static Map<String, Type> types(List<String> list) {
		Map<String, Type> types = new TreeMap<>();
		List<String> lines = new ArrayList<>();
		Stream.concat(list.stream(), Stream.of("")).filter((line) -> !line.startsWith("#")).forEach((line) -> {
			if (!line.isEmpty()) {
				lines.add(line.strip());
			}
			else if (!lines.isEmpty()) {
				Type type = Type.of(lines);
				types.put(type.name(), type);
				lines.clear();
			}
		});
		return types;
	}

	/**
	 * A type of a list, with the names of other libraries in full.
	 *
	 * @param head its first line
	 * @param members its members, by what a caller writes: the name, and the types of
	 * parameters
	 */
	private record Type(String head, Map<String, String> members) {

		private static final Pattern NAME = Pattern.compile("\\b(class|interface|enum|record) ([\\w.]+)");

		private static final Pattern WORD = Pattern.compile("(?<![.\\w])[A-Z]\\w*");

		static Type of(List<String> lines) {
			Map<String, String> uses = new TreeMap<>();
			for (String line : lines) {
				if (line.startsWith("uses ")) {
					for (String name : line.substring(5).split(", ")) {
						uses.put(name.substring(name.lastIndexOf('.') + 1), name);
					}
				}
			}
			Map<String, String> members = new TreeMap<>();
			for (String line : lines.subList(1, lines.size())) {
				if (line.matches("[A-Z_\\d]+(, [A-Z_\\d]+)*")) {
					Stream.of(line.split(", ")).forEach((constant) -> members.put(constant, constant));
				}
				else if (!line.startsWith("uses ")) {
					String member = inFull(line, uses);
					members.put(key(DEPRECATED.matcher(member).replaceAll("")), member);
				}
			}
			return new Type(inFull(lines.get(0), uses), members);
		}

		private static String inFull(String line, Map<String, String> uses) {
			return WORD.matcher(line).replaceAll((word) -> uses.getOrDefault(word.group(), word.group()));
		}

		private static String key(String member) {
			Matcher method = Pattern.compile("([\\w.]+)\\((.*?)\\)( throws .*| default .*)?").matcher(member);
			return method.find() ? method.group(1) + "(" + method.group(2).replace("@Nullable ", "") + ")"
					: member.replaceFirst(".* ", "");
		}

		String name() {
			Matcher name = NAME.matcher(this.head);
			Assertions.assertThat(name.find()).as(this.head).isTrue();
			return name.group(2);
		}

		boolean leavesToOthers(String member) {
			if (this.head.contains("@interface ")) {
				return !member.contains(" default ");
			}
			return member.contains("abstract ") || this.head.contains("interface ") && member.contains("(")
					&& !member.matches("(default|static|public static|public default) .*");
		}

	}

}
