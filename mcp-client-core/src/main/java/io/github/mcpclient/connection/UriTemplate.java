package io.github.mcpclient.connection;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A URI template of RFC 6570, of all levels, for values that are texts and lists.
 */
record UriTemplate(String template) {

	private static final Pattern EXPRESSION = Pattern.compile("\\{([+#./;?&]?)([^{}]+)\\}");

	private static final Pattern VARIABLE = Pattern.compile("(.+?)(?:(\\*)|:(\\d{1,4}))?");

	private static final String UNRESERVED = "-._~";

	private static final String RESERVED = UNRESERVED + ":/?#[]@!$&'()*+,;=%";

	/**
	 * Return the names of the variables.
	 */
	List<String> variables() {
		return EXPRESSION.matcher(this.template)
			.results()
			.flatMap((expression) -> Stream.of(expression.group(2).split(",")))
			.map((variable) -> parsed(variable).group(1))
			.distinct()
			.toList();
	}

	/**
	 * Return the URI for these values. A variable without one is left out.
	 */
	String expand(Map<?, ?> values) {
		return EXPRESSION.matcher(this.template)
			.replaceAll((expression) -> Matcher
				.quoteReplacement(expand(expression.group(1), expression.group(2).split(","), values)));
	}

	private static String expand(String operator, String[] variables, Map<?, ?> values) {
		boolean named = !operator.isEmpty() && ";?&".contains(operator);
		String first = operator.equals("+") ? "" : operator;
		String separator = switch (operator) {
			case ".", "/", ";" -> operator;
			case "?", "&" -> "&";
			default -> ",";
		};
		String allowed = (operator.equals("+") || operator.equals("#")) ? RESERVED : UNRESERVED;
		List<String> parts = new ArrayList<>();
		for (String variable : variables) {
			Matcher parsed = parsed(variable);
			Object value = values.get(parsed.group(1));
			if (value == null) {
				continue;
			}
			List<String> texts = ((value instanceof Collection<?> list) ? list.stream() : Stream.of(value))
				.map((item) -> encode(prefix(String.valueOf(item), parsed.group(3)), allowed))
				.toList();
			List<String> joined = (parsed.group(2) != null) ? texts : List.of(String.join(",", texts));
			joined.forEach((text) -> parts.add(named ? name(operator, parsed.group(1), text) : text));
		}
		return parts.isEmpty() ? "" : first + String.join(separator, parts);
	}

	private static String name(String operator, String name, String text) {
		return (text.isEmpty() && operator.equals(";")) ? name : name + "=" + text;
	}

	private static Matcher parsed(String variable) {
		Matcher matcher = VARIABLE.matcher(variable);
		return matcher.matches() ? matcher : VARIABLE.matcher("");
	}

	private static String prefix(String value, @Nullable String length) {
		return (length != null) ? value.codePoints()
			.limit(Integer.parseInt(length))
			.mapToObj(Character::toString)
			.collect(Collectors.joining()) : value;
	}

	private static String encode(String value, String allowed) {
		StringBuilder encoded = new StringBuilder();
		for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
			boolean letter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
			if (letter || (b > 0 && allowed.indexOf(b) != -1)) {
				encoded.append((char) b);
			}
			else {
				encoded.append(String.format("%%%02X", b));
			}
		}
		return encoded.toString();
	}

}
