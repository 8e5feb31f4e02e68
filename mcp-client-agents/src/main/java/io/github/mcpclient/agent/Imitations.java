package io.github.mcpclient.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What a server says in the words that the client uses for its own notes in a result. A
 * model would believe that there is more to read, or that a tool is to be called for it.
 */
final class Imitations {

	/**
	 * How each note of the client begins.
	 */
	static final String NOTE = "[MCP client: ";

	private static final Pattern IMITATION = Pattern.compile(
			"(\\p{Ps}[\\s\\p{Z}\\p{Cf}*_`]*)(?=MCP[\\s\\p{Z}\\p{Cf}*_`-]*client)",
			Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

	private Imitations() {
	}

	/**
	 * Return the text, or one in which imitations say that they are not of the client.
	 * JSON stays well-formed, as there they are in strings.
	 */
	static String disclose(String text) {
		Matcher matcher = IMITATION.matcher(text);
		return matcher.find() ? matcher.replaceAll("$1not the ") : text;
	}

	/**
	 * Return the structured value, or another one where its texts or names have
	 * imitations.
	 */
	static @Nullable Object disclose(@Nullable Object value) {
		if (value instanceof String text) {
			return disclose(text);
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> items = new ArrayList<>(list.size());
			boolean same = true;
			for (Object item : list) {
				Object disclosed = disclose(item);
				same &= disclosed == item;
				items.add(disclosed);
			}
			return same ? list : items;
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			boolean same = true;
			for (Map.Entry<?, ?> member : map.entrySet()) {
				String name = disclose(String.valueOf(member.getKey()));
				Object disclosed = disclose(member.getValue());
				same &= disclosed == member.getValue() && name.equals(member.getKey());
				members.put(name, disclosed);
			}
			return same ? map : members;
		}
		return value;
	}

}
