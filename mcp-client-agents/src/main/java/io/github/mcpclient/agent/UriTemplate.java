package io.github.mcpclient.agent;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A URI template of RFC 6570, of all levels, for values that are texts and lists.
 * Templates and URIs that are too long are rejected.
 */
record UriTemplate(String template) {

	// in characters
	private static final int LONGEST = 8192;

	private static final Pattern EXPRESSION = Pattern.compile("\\{([+#./;?&]?)([^{}]+)\\}");

	// matches everything
	private static final Pattern VARIABLE = Pattern.compile("(.*?)(?:(\\*)|:(\\d{1,4}))?", Pattern.DOTALL);

	private static final String UNRESERVED = "-._~";

	private static final String RESERVED = UNRESERVED + ":/?#[]@!$&'()*+,;=%";

	/**
	 * Return the names of the variables.
	 */
	List<String> variables() {
		return EXPRESSION.matcher((this.template.length() <= LONGEST) ? this.template : "")
			.results()
			.flatMap((expression) -> Stream.of(expression.group(2).split(",")))
			.map((variable) -> parsed(variable).group(1))
			.filter((name) -> !name.isEmpty())
			.distinct()
			.toList();
	}

	/**
	 * Return the URI for these values. A variable without a value is omitted.
	 * @throws IllegalArgumentException if it would be too long
	 */
	String expand(Map<?, ?> values) {
		if (this.template.length() > LONGEST) {
			return this.template;
		}
		Matcher expressions = EXPRESSION.matcher(this.template);
		StringBuilder uri = new StringBuilder();
		while (expressions.find()) {
			expressions.appendReplacement(uri,
					Matcher.quoteReplacement(expand(expressions.group(1), expressions.group(2).split(","), values)));
			checkLength(uri.length());
		}
		return expressions.appendTail(uri).toString();
	}

	private static void checkLength(int length) {
		Assert.isTrue(length <= LONGEST,
				() -> "With these values, the uri would have more than " + LONGEST + " characters");
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
		StringJoiner parts = new StringJoiner(separator, first, "").setEmptyValue("");
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
			checkLength(parts.length());
		}
		return parts.toString();
	}

	private static String name(String operator, String name, String text) {
		return (text.isEmpty() && operator.equals(";")) ? name : name + "=" + text;
	}

	private static Matcher parsed(String variable) {
		Matcher matcher = VARIABLE.matcher(variable);
		matcher.matches();
		return matcher;
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
			checkLength(encoded.length());
		}
		return encoded.toString();
	}

}
