package io.github.mcpclient.internal.naming;

import java.util.Arrays;

/**
 * A pattern in which {@code *} stands for any characters and {@code ?} for one. All other
 * characters stand for themselves, as do these characters, {@code !} and {@code \} after
 * a {@code \}.
 *
 * <p>
 * A match takes at most {@code (n + 1) * m + n} steps for a name of {@code n} and a
 * pattern of {@code m} characters: only the last {@code *} seen is ever tried again, with
 * one character more each time, and never fewer than an earlier one took. Since the
 * length of names and patterns is limited, so is the cost of a match.
 */
final class Glob {

	private static final int NONE = -1;

	// differs from any code point
	private static final int ANY = -1;

	private static final int ONE = -2;

	// code points, so that a '?' matches a complete character
	private final int[] pattern;

	private final boolean plain;

	Glob(String pattern) {
		this.pattern = parse(pattern.codePoints().toArray());
		this.plain = Arrays.stream(this.pattern).noneMatch((element) -> element == ANY || element == ONE);
	}

	private static int[] parse(int[] pattern) {
		int[] parsed = new int[pattern.length];
		int length = 0;
		for (int i = 0; i < pattern.length; i++) {
			if (pattern[i] == '\\' && i + 1 < pattern.length && "*?!\\".indexOf(pattern[i + 1]) >= 0) {
				parsed[length++] = pattern[++i];
			}
			else {
				parsed[length++] = (pattern[i] == '*') ? ANY : ((pattern[i] == '?') ? ONE : pattern[i]);
			}
		}
		return Arrays.copyOf(parsed, length);
	}

	/**
	 * Return whether this pattern is a name without wildcards.
	 */
	boolean isPlain() {
		return this.plain;
	}

	boolean matches(String text) {
		int[] name = text.codePoints().toArray();
		int n = 0;
		int p = 0;
		int star = NONE;
		int taken = 0;
		while (n < name.length) {
			if (p < this.pattern.length && this.pattern[p] == ANY) {
				star = p++;
				taken = n;
			}
			else if (p < this.pattern.length && (this.pattern[p] == ONE || this.pattern[p] == name[n])) {
				p++;
				n++;
			}
			else if (star != NONE) {
				n = ++taken;
				p = star + 1;
			}
			else {
				return false;
			}
		}
		while (p < this.pattern.length && this.pattern[p] == ANY) {
			p++;
		}
		return p == this.pattern.length;
	}

}
