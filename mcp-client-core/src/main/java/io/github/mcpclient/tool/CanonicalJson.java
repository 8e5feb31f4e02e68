package io.github.mcpclient.tool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in one form only: the canonical one of RFC 8785, but for integers, whose
 * digits are all written, and half surrogates, which are escaped. Or with line breaks,
 * and with escapes for what a reader could not see.
 */
final class CanonicalJson {

	private static final int MAX_DIGITS = 17;

	private static final int MAX_PLAIN = 21;

	private static final int MIN_PLAIN = -6;

	private final StringBuilder text = new StringBuilder();

	private final boolean pretty;

	private CanonicalJson(boolean pretty) {
		this.pretty = pretty;
	}

	/**
	 * Return the canonical form of a value of maps, collections, texts, numbers and
	 * booleans.
	 */
	static String write(@Nullable Object value) {
		return new CanonicalJson(false).add(value, 0).toString();
	}

	/**
	 * Return a form to be read by people, with the same order.
	 */
	static String pretty(@Nullable Object value) {
		return new CanonicalJson(true).add(value, 0).append('\n').toString();
	}

	private StringBuilder add(@Nullable Object value, int depth) {
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> sorted = new TreeMap<>();
			map.forEach((name, item) -> sorted.put(String.valueOf(name), item));
			this.text.append('{');
			Iterator<Map.Entry<String, Object>> entries = sorted.entrySet().iterator();
			while (entries.hasNext()) {
				Map.Entry<String, Object> entry = entries.next();
				newLine(depth + 1);
				addText(entry.getKey()).append(this.pretty ? ": " : ":");
				add(entry.getValue(), depth + 1);
				this.text.append(entries.hasNext() ? "," : "");
			}
			return end(sorted.isEmpty(), depth, '}');
		}
		if (value instanceof Collection<?> list) {
			this.text.append('[');
			Iterator<?> items = list.iterator();
			while (items.hasNext()) {
				newLine(depth + 1);
				add(items.next(), depth + 1);
				this.text.append(items.hasNext() ? "," : "");
			}
			return end(list.isEmpty(), depth, ']');
		}
		if (value == null || value instanceof Boolean) {
			return this.text.append(value);
		}
		return (value instanceof Number number) ? this.text.append(number(number)) : addText(value.toString());
	}

	private StringBuilder end(boolean empty, int depth, char bracket) {
		if (!empty) {
			newLine(depth);
		}
		return this.text.append(bracket);
	}

	private void newLine(int depth) {
		if (this.pretty) {
			this.text.append('\n').append("  ".repeat(depth));
		}
	}

	private StringBuilder addText(String value) {
		this.text.append('"');
		for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
			int c = value.codePointAt(i);
			int letter = "\b\t\n\f\r\"\\".indexOf(c);
			if (letter >= 0) {
				this.text.append('\\').append("btnfr\"\\".charAt(letter));
			}
			else if (c < ' ' || (this.pretty ? isInvisible(c) : isHalf(c))) {
				for (char unit : Character.toChars(c)) {
					this.text.append(String.format("\\u%04x", (int) unit));
				}
			}
			else {
				this.text.appendCodePoint(c);
			}
		}
		return this.text.append('"');
	}

	private static boolean isHalf(int c) {
		return Character.getType(c) == Character.SURROGATE;
	}

	private static boolean isInvisible(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.NON_SPACING_MARK,
					Character.ENCLOSING_MARK ->
				true;
			case Character.SPACE_SEPARATOR -> c != ' ';
			default -> false;
		};
	}

	private static String number(Number number) {
		if (number instanceof Integer || number instanceof Long || number instanceof BigInteger) {
			return number.toString();
		}
		double value = number.doubleValue();
		if (!(number instanceof BigDecimal) && !Double.isFinite(value)) {
			return number.toString();
		}
		BigDecimal decimal = shortest((number instanceof BigDecimal exact) ? exact : new BigDecimal(value), value);
		return (decimal.signum() == 0) ? "0" : ((decimal.signum() < 0) ? "-" : "") + print(decimal.abs());
	}

	// the fewest digits that lead to this double, as in ECMAScript; not by
	// Double.toString, which differs between releases of Java
	private static BigDecimal shortest(BigDecimal exact, double value) {
		for (int digits = 1; digits <= MAX_DIGITS && Double.isFinite(value); digits++) {
			BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
			if (rounded.doubleValue() == value) {
				return rounded.stripTrailingZeros();
			}
		}
		return exact.stripTrailingZeros();
	}

	private static String print(BigDecimal value) {
		String digits = value.unscaledValue().toString();
		int point = digits.length() - value.scale();
		if (point > MAX_PLAIN || point <= MIN_PLAIN) {
			String rest = (digits.length() > 1) ? "." + digits.substring(1) : "";
			return digits.charAt(0) + rest + ((point > 0) ? "e+" : "e-") + Math.abs(point - 1);
		}
		return value.toPlainString();
	}

}
