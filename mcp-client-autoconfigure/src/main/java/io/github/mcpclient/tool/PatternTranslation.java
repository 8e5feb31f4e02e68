package io.github.mcpclient.tool;

import org.jspecify.annotations.Nullable;

/**
 * An expression of ECMA 262 in the syntax of RE2, with a bound of what it takes to
 * compile: RE2 repeats what is to be repeated, and descends into what is nested.
 *
 * @param regex the expression for RE2
 * @param size how many instructions it takes at most
 */
record PatternTranslation(String regex, int size) {

	private static final int MAX_LENGTH = 2000;

	private static final int MAX_DEPTH = 50;

	private static final int MAX_SIZE = 3000;

	/**
	 * A class such as {@code \p{L}} has hundreds of ranges.
	 */
	private static final int PROPERTY = 100;

	private static final String BLANKS = "\\s\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
			+ "\\x{3000}\\x{feff}";

	/**
	 * Translate an expression.
	 * @param regex the expression
	 * @return the translation, or {@code null} where the expression is too large, or
	 * plainly has no counterpart; RE2 itself refuses others
	 */
	static @Nullable PatternTranslation of(String regex) {
		return (regex.length() <= MAX_LENGTH) ? new Translator(regex).translate() : null;
	}

	private static final class Translator {

		private final String regex;

		private final StringBuilder result = new StringBuilder();

		/**
		 * The size of each group that is open, the outermost first.
		 */
		private final int[] sizes = new int[MAX_DEPTH + 1];

		private int depth;

		/**
		 * The size of what a repetition would repeat.
		 */
		private int last;

		private int properties;

		private int at;

		private Translator(String regex) {
			this.regex = regex;
		}

		private @Nullable PatternTranslation translate() {
			while (this.at < this.regex.length()) {
				if (!next() || this.sizes[this.depth] > MAX_SIZE) {
					return null;
				}
			}
			int size = this.sizes[0] + PROPERTY * this.properties + 2;
			return (this.depth == 0 && size <= MAX_SIZE) ? new PatternTranslation(this.result.toString(), size) : null;
		}

		private boolean next() {
			char c = this.regex.charAt(this.at);
			return switch (c) {
				case '(' -> open();
				case ')' -> close();
				case '[' -> characterClass();
				case '\\' -> escape(false) && atom(1);
				case '.' -> replace(1, "[^\\n\\r\\x{2028}\\x{2029}]") && atom(1);
				case '*', '+', '?' -> copy(1) && grow(2);
				case '{' -> repeat();
				case '|' -> copy(1) && grow(1);
				default -> copy(1) && atom(1);
			};
		}

		private boolean open() {
			if (++this.depth > MAX_DEPTH) {
				return false;
			}
			this.sizes[this.depth] = 0;
			this.last = 0;
			if (!looksAt("(?")) {
				return copy(1);
			}
			if (looksAt("(?:")) {
				return copy(3);
			}
			// No look-around, and no flags, which ECMA does not have
			return looksAt("(?<") && !looksAt("(?<=") && !looksAt("(?<!") && replace(3, "(?P<");
		}

		private boolean close() {
			if (--this.depth < 0) {
				return false;
			}
			return copy(1) && atom(this.sizes[this.depth + 1] + 2);
		}

		private boolean characterClass() {
			copy(looksAt("[^") ? 2 : 1);
			if (looksAt("]")) {
				return false;
			}
			while (this.at < this.regex.length()) {
				char c = this.regex.charAt(this.at);
				if (c == ']') {
					return copy(1) && atom(1);
				}
				boolean known = switch (c) {
					case '\\' -> escape(true);
					case '[' -> replace(1, "\\[");
					default -> copy(1);
				};
				if (!known) {
					return false;
				}
			}
			return false;
		}

		private boolean escape(boolean inClass) {
			if (this.at + 1 == this.regex.length()) {
				return false;
			}
			switch (this.regex.charAt(this.at + 1)) {
				case 's':
					return replace(2, inClass ? BLANKS : "[" + BLANKS + "]");
				case 'S':
					return inClass ? copy(2) : replace(2, "[^" + BLANKS + "]");
				case 'u':
					return unicode();
				case 'p', 'P':
					this.properties++;
					int end = this.regex.indexOf('}', this.at);
					return looksAt("{", 2) && end > 0 && copy(end + 1 - this.at);
				case 'C', 'Q', 'E':
					return false;
				default:
					return copy(Character.isHighSurrogate(this.regex.charAt(this.at + 1)) ? 3 : 2);
			}
		}

		private boolean unicode() {
			if (looksAt("{", 2)) {
				int end = this.regex.indexOf('}', this.at);
				return end > 0 && replace(3, "\\x{") && copy(end + 1 - this.at);
			}
			int unit = unit(this.at);
			if (unit < 0 || Character.isLowSurrogate((char) unit)) {
				return false;
			}
			if (!Character.isHighSurrogate((char) unit)) {
				return replace(6, "\\x{" + Integer.toHexString(unit) + "}");
			}
			int low = unit(this.at + 6);
			return low >= 0 && Character.isLowSurrogate((char) low)
					&& replace(12, "\\x{" + Integer.toHexString(Character.toCodePoint((char) unit, (char) low)) + "}");
		}

		private int unit(int from) {
			if (!this.regex.startsWith("\\u", from) || from + 6 > this.regex.length()) {
				return -1;
			}
			int unit = 0;
			for (int i = from + 2; i < from + 6; i++) {
				int digit = Character.digit(this.regex.charAt(i), 16);
				if (digit < 0) {
					return -1;
				}
				unit = unit * 16 + digit;
			}
			return unit;
		}

		/**
		 * Read a repetition such as <code>{2}</code>, <code>{2,}</code> or
		 * <code>{2,5}</code>; anything else stands for itself.
		 */
		private boolean repeat() {
			int end = this.regex.indexOf('}', this.at);
			String body = (end > 0) ? this.regex.substring(this.at + 1, end) : "";
			int comma = body.indexOf(',');
			String low = (comma < 0) ? body : body.substring(0, comma);
			String high = (comma < 0) ? body : body.substring(comma + 1);
			if (!isNumber(low) || !(high.isEmpty() || isNumber(high))) {
				return replace(1, "\\{") && atom(1);
			}
			if (low.length() > 4 || high.length() > 4) {
				return false;
			}
			int least = Integer.parseInt(low);
			int most = high.isEmpty() ? least : Integer.parseInt(high);
			int once = this.last;
			long more = (long) once * Math.max(0, Math.max(least, most) - 1) + Math.max(0, most - least) + 2;
			if (more > MAX_SIZE) {
				return false;
			}
			return copy(end + 1 - this.at) && grow((int) more);
		}

		private static boolean isNumber(String text) {
			return !text.isEmpty() && text.chars().allMatch((c) -> c >= '0' && c <= '9');
		}

		private boolean atom(int size) {
			this.last = size;
			this.sizes[this.depth] += size;
			return true;
		}

		private boolean grow(int size) {
			this.last += size;
			this.sizes[this.depth] += size;
			return true;
		}

		private boolean looksAt(String text) {
			return looksAt(text, 0);
		}

		private boolean looksAt(String text, int offset) {
			return this.regex.startsWith(text, this.at + offset);
		}

		private boolean copy(int length) {
			int end = Math.min(this.at + length, this.regex.length());
			this.result.append(this.regex, this.at, end);
			this.at = end;
			return true;
		}

		private boolean replace(int length, String replacement) {
			this.result.append(replacement);
			this.at += length;
			return true;
		}

	}

}
