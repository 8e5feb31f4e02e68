package io.github.mcpclient.tool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in one form only: the canonical one of RFC 8785, but for integers, whose
 * digits are all written, and half surrogates, which are escaped. Or with escapes for
 * what a reader could not see. What a text takes is bounded: line breaks make one of many
 * levels hundreds of times as long as what was sent.
 */
final class CanonicalJson {

	/**
	 * How many objects and lists may be in each other. With what is around a definition
	 * in a file, that is less than parsers of JSON read.
	 */
	static final int MAX_LEVELS = 200;

	private static final int MAX_DIGITS = 17;

	private static final int MAX_PLAIN = 21;

	private static final int MIN_PLAIN = -6;

	private static final int BLOCK = 8192;

	private final StringBuilder text = new StringBuilder();

	private final int max;

	private final boolean escapes;

	// of what is around, or less than 0 for one line
	private final int indent;

	private final @Nullable MessageDigest digest;

	private CanonicalJson(int max, boolean escapes, int indent, @Nullable MessageDigest digest) {
		this.max = max;
		this.escapes = escapes;
		this.indent = indent;
		this.digest = digest;
	}

	/**
	 * Return the canonical form of a value of maps, collections, texts, numbers and
	 * booleans, or {@code null} if it has more than so many characters.
	 */
	static @Nullable String write(@Nullable Object value, int max) {
		return new CanonicalJson(max, false, -1, null).text(value);
	}

	/**
	 * Return a form to be read by people, with the same order on one line, or
	 * {@code null} if it has more than so many characters.
	 */
	static @Nullable String line(@Nullable Object value, int max) {
		return new CanonicalJson(max, true, -1, null).text(value);
	}

	/**
	 * Return a form to be read by people, with the same order, or {@code null} if it has
	 * more than so many characters.
	 * @param indent how many levels there are around it
	 */
	static @Nullable String pretty(@Nullable Object value, int indent, int max) {
		return new CanonicalJson(max, true, indent, null).text(value);
	}

	/**
	 * Return the SHA-256 of the canonical form, which is never there as a whole.
	 */
	static byte[] hash(@Nullable Object value) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			CanonicalJson json = new CanonicalJson(BLOCK, false, -1, digest);
			json.add(value, 0);
			return digest.digest(json.text.toString().getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private @Nullable String text(@Nullable Object value) {
		add(value, 0);
		return isFull() ? null : this.text.toString();
	}

	private boolean isFull() {
		if (this.text.length() <= this.max || this.digest == null) {
			return this.text.length() > this.max;
		}
		this.digest.update(this.text.toString().getBytes(StandardCharsets.UTF_8));
		this.text.setLength(0);
		return false;
	}

	private void add(@Nullable Object value, int depth) {
		if (isFull()) {
			return;
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> sorted = new TreeMap<>();
			map.forEach((name, item) -> sorted.put(String.valueOf(name), item));
			addItems(sorted.entrySet(), depth, "{}", (entry) -> {
				addText(entry.getKey());
				this.text.append((this.indent < 0) ? ":" : ": ");
				add(entry.getValue(), depth + 1);
			});
		}
		else if (value instanceof Collection<?> list) {
			addItems(list, depth, "[]", (item) -> add(item, depth + 1));
		}
		else if (value == null || value instanceof Boolean) {
			this.text.append(value);
		}
		else if (value instanceof Number number) {
			this.text.append(number(number));
		}
		else {
			addText(value.toString());
		}
	}

	private <T> void addItems(Collection<T> items, int depth, String brackets, Consumer<T> adding) {
		if (depth == MAX_LEVELS) {
			throw new TooDeepException();
		}
		this.text.append(brackets.charAt(0));
		String separator = "";
		for (T item : items) {
			if (isFull()) {
				return;
			}
			this.text.append(separator);
			newLine(depth + 1);
			adding.accept(item);
			separator = ",";
		}
		if (!items.isEmpty()) {
			newLine(depth);
		}
		this.text.append(brackets.charAt(1));
	}

	private void newLine(int depth) {
		if (this.indent >= 0) {
			this.text.append('\n').append("  ".repeat(this.indent + depth));
		}
	}

	private void addText(String value) {
		this.text.append('"');
		for (int i = 0; i < value.length() && !isFull(); i += Character.charCount(value.codePointAt(i))) {
			int c = value.codePointAt(i);
			int letter = "\b\t\n\f\r\"\\".indexOf(c);
			if (letter >= 0) {
				this.text.append('\\').append("btnfr\"\\".charAt(letter));
			}
			else if (c < ' ' || (this.escapes ? isInvisible(c) : isHalf(c))) {
				for (char unit : Character.toChars(c)) {
					this.text.append("\\u").append(HexFormat.of().toHexDigits(unit));
				}
			}
			else {
				this.text.appendCodePoint(c);
			}
		}
		this.text.append('"');
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

	/**
	 * More objects and lists are in each other than can be read back.
	 */
	static final class TooDeepException extends RuntimeException {

		private TooDeepException() {
			super("More than " + MAX_LEVELS + " levels");
		}

	}

}
