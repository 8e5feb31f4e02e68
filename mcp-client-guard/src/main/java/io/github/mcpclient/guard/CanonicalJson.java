package io.github.mcpclient.guard;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.BufferOverflowException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.io.NumberOutput;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes JSON in one form only: the canonical form of RFC 8785, except for integers,
 * which have all their digits, and half surrogates, which are escaped. Or in a form for
 * people, with escapes for invisible characters. The size of the output is limited: line
 * breaks make a value of many levels hundreds of times as long as its source.
 */
final class CanonicalJson {

	/**
	 * The maximum depth of objects and lists. With the levels around a definition in a
	 * file, this is within the limits of JSON parsers.
	 */
	static final int MAX_LEVELS = 200;

	private static final int BLOCK = 8192;

	// up to which integers have no exponent
	private static final int MAX_PLAIN = 21;

	private static final Pattern HALF = Pattern.compile("\\p{Cs}+");

	private static final Pattern INVISIBLE = Pattern.compile("[\\p{C}\\p{Mn}\\p{Me}\\p{Z}&&[^ \n]]+");

	private static final ObjectWriter WRITER = JsonMapper
		.builder(JsonFactory.builder()
			.disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES, JsonWriteFeature.WRITE_HEX_UPPER_CASE)
			.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_LEVELS).build())
			.build())
		.disable(SerializationFeature.WRAP_EXCEPTIONS)
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.addModule(new SimpleModule().addSerializer(Number.class, new NumberSerializer()))
		.build()
		.writer();

	private static final Separators SEPARATORS = Separators.createDefaultInstance()
		.withObjectNameValueSpacing(Spacing.AFTER)
		.withObjectEmptySeparator("")
		.withArrayEmptySeparator("");

	private CanonicalJson() {
	}

	/**
	 * Return the canonical form of a value of maps, collections, texts, numbers and
	 * booleans, or {@code null} if it is longer than the given number of characters.
	 */
	static @Nullable String write(@Nullable Object value, int max) {
		return write(value, WRITER, HALF, max);
	}

	/**
	 * Return a form for people, with the same order and on one line, or {@code null} if
	 * it is longer than the given number of characters.
	 */
	static @Nullable String line(@Nullable Object value, int max) {
		return write(value, WRITER, INVISIBLE, max);
	}

	/**
	 * Return a form for people, with the same order, or {@code null} if it is longer than
	 * the given number of characters.
	 * @param indent the number of levels around it
	 */
	static @Nullable String pretty(@Nullable Object value, int indent, int max) {
		DefaultIndenter lines = new DefaultIndenter("  ", "\n" + "  ".repeat(indent));
		DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS).withObjectIndenter(lines)
			.withArrayIndenter(lines);
		return write(value, WRITER.with(printer), INVISIBLE, max);
	}

	private static @Nullable String write(@Nullable Object value, ObjectWriter writer, Pattern escaped, int max) {
		Text text = new Text(max, null);
		try {
			write(value, writer, text);
		}
		catch (BufferOverflowException ex) {
			return null;
		}
		String result = escape(text.toString(), escaped);
		return (result.length() <= max) ? result : null;
	}

	/**
	 * Return the SHA-256 of the canonical form, which is never in memory as a whole.
	 */
	static byte[] hash(@Nullable Object value) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			Text text = new Text(BLOCK, digest);
			write(value, WRITER, text);
			return digest.digest(bytes(text.toString()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void write(@Nullable Object value, ObjectWriter writer, Text text) {
		try {
			writer.writeValue(text, value);
		}
		catch (StreamConstraintsException ex) {
			throw new TooDeepException();
		}
	}

	private static String escape(String text, Pattern escaped) {
		return escaped.matcher(text)
			.replaceAll((match) -> match.group()
				.chars()
				.mapToObj((unit) -> "\\\\u" + HexFormat.of().toHexDigits((char) unit))
				.collect(Collectors.joining()));
	}

	private static byte[] bytes(String text) {
		return escape(text, HALF).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Numbers as in ECMAScript, where equal numbers have one form.
	 */
	private static final class NumberSerializer extends ValueSerializer<Number> {

		@Override
		public void serialize(Number value, JsonGenerator generator, SerializationContext context) {
			generator.writeNumber(text(value));
		}

		private static String text(Number number) {
			double value = number.doubleValue();
			if (number instanceof Integer || number instanceof Long || number instanceof BigInteger
					|| !Double.isFinite(value)) {
				return number.toString();
			}
			BigDecimal decimal = new BigDecimal(NumberOutput.toString(value, true));
			// which has two digits at least
			BigDecimal digit = decimal.round(new MathContext(1));
			BigDecimal shortest = ((digit.doubleValue() == value) ? digit : decimal).stripTrailingZeros();
			boolean plain = shortest.precision() - shortest.scale() <= MAX_PLAIN && shortest.scale() < 0;
			return plain ? shortest.toPlainString() : shortest.toString().replace('E', 'e');
		}

	}

	/**
	 * A text up to a limit, or its part that is not hashed yet.
	 */
	private static final class Text extends StringWriter {

		private final int max;

		private final @Nullable MessageDigest digest;

		Text(int max, @Nullable MessageDigest digest) {
			this.max = max;
			this.digest = digest;
		}

		@Override
		public void write(char[] units, int start, int count) {
			super.write(units, start, count);
			StringBuffer text = getBuffer();
			if (text.length() <= this.max) {
				return;
			}
			if (this.digest == null) {
				throw new BufferOverflowException();
			}
			// the second half of a pair may come next
			int end = text.length() - (Character.isHighSurrogate(units[start + count - 1]) ? 1 : 0);
			this.digest.update(bytes(text.substring(0, end)));
			text.delete(0, end);
		}

	}

	/**
	 * Objects and lists are nested more deeply than parsers can read.
	 */
	static final class TooDeepException extends RuntimeException {

		private TooDeepException() {
			super("More than " + MAX_LEVELS + " levels");
		}

	}

}
