package io.github.mcpclient.internal.support;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Values that must not appear in any log, message or status. Secrets are recognized in
 * their original form only (not encoded, or cut into pieces). Immutable.
 */
public final class Secrets {

	/**
	 * The replacement of a secret in a text.
	 */
	public static final String MASK = "******";

	/**
	 * No secrets.
	 */
	public static final Secrets NONE = new Secrets(List.of());

	// shorter values would mask half of each line, and protect nothing
	private static final int SHORTEST = 4;

	// shorter values in a URL or in a server's own settings are often words
	private static final int SHORTEST_SETTING = 8;

	private static final Set<String> WORDS = Set.of("true", "false", "none", "null", "error", "warn", "info", "debug",
			"trace", "production", "development", "test", "bearer", "basic");

	// an unresolved placeholder is not a secret, and its name helps to find the cause
	private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Za-z_][\\w.-]*+\\}");

	private static final int DEEPEST_CAUSE = 20;

	// the factor for the text that is examined: masks are shorter than most secrets
	private static final int EXCERPT = 8;

	private final List<String> values;

	private Secrets(Collection<String> values) {
		this.values = values.stream().distinct().sorted(Comparator.comparingInt(String::length).reversed()).toList();
	}

	/**
	 * Return a builder without secrets.
	 */
	public static Builder builder() {
		return new Builder(List.of());
	}

	/**
	 * Return the union of these secrets and others.
	 */
	public Secrets and(Secrets others) {
		return others.isEmpty() ? this
				: new Secrets(Stream.concat(this.values.stream(), others.values.stream()).toList());
	}

	/**
	 * Return the secrets of at least eight characters, for texts that are not only
	 * logged: shorter ones are often words.
	 */
	public Secrets withoutShort() {
		return new Secrets(this.values.stream().filter((value) -> value.length() >= SHORTEST_SETTING).toList());
	}

	/**
	 * Return a builder that starts with these secrets.
	 */
	public Builder and() {
		return new Builder(this.values);
	}

	/**
	 * Return {@code true} if there are no secrets.
	 */
	public boolean isEmpty() {
		return this.values.isEmpty();
	}

	/**
	 * Return a text with masks in place of secrets.
	 */
	public String mask(String text) {
		String masked = text;
		for (String value : this.values) {
			masked = masked.replace(value, MASK);
		}
		return masked;
	}

	/**
	 * Return a JSON value of maps and lists with its secrets masked, or the same value if
	 * it contains no secrets.
	 * @param names whether names of members are masked, too
	 */
	public @Nullable Object mask(@Nullable Object value, boolean names) {
		return isEmpty() ? value : Redaction.texts(value, this::mask, names);
	}

	/**
	 * Return an untrusted text as one {@linkplain Printable printable} line without
	 * secrets; {@code ...} replaces the part that was cut.
	 */
	public String line(String text, int limit) {
		return line(text, limit, false);
	}

	/**
	 * Return untrusted UTF-8 as such a line.
	 */
	public String line(byte[] utf8, int offset, int length, int limit, boolean truncated) {
		int head = Math.min(length, EXCERPT * limit);
		return line(new String(utf8, offset, head, StandardCharsets.UTF_8), limit, truncated || head < length);
	}

	/**
	 * Return untrusted text as such a line.
	 * @param truncated whether the text was already cut
	 */
	public String line(String text, int limit, boolean truncated) {
		String head = Printable.cut(text, EXCERPT * limit);
		boolean cut = truncated || head.length() < text.length();
		// again: an escape sequence may have split a secret
		String line = mask(Printable.plain(mask(head))).strip();
		if (cut) {
			line = maskEnd(line);
		}
		return (cut || line.length() > limit) ? Printable.cut(line, limit) + "..." : line;
	}

	/**
	 * Return the start of a text with secrets masked, including the start of a secret at
	 * its end.
	 * @param truncated whether the text was already cut
	 */
	public String start(String text, int limit, boolean truncated) {
		String head = Printable.cut(text, limit);
		return (truncated || head.length() < text.length()) ? maskEnd(mask(head)) : mask(head);
	}

	// masks the start of a secret at the end of a text that was cut
	private String maskEnd(String text) {
		for (String value : this.values) {
			for (int length = Math.min(value.length() - 1, text.length()); length >= SHORTEST; length--) {
				if (text.endsWith(value.substring(0, length))) {
					return text.substring(0, text.length() - length) + MASK;
				}
			}
		}
		return text;
	}

	/**
	 * Return the failure, or a replacement with its stack traces if its message, or the
	 * message of a cause, contains a secret.
	 */
	public Throwable mask(Throwable failure) {
		boolean clean = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(DEEPEST_CAUSE)
			.flatMap((cause) -> Stream.concat(Stream.of(cause), Stream.of(cause.getSuppressed())))
			.map(Throwable::toString)
			.allMatch((text) -> this.values.stream().noneMatch(text::contains));
		if (clean) {
			return failure;
		}
		Throwable cause = failure.getCause();
		MaskedException masked = new MaskedException(mask(failure.toString()), (cause != null) ? mask(cause) : null);
		masked.setStackTrace(failure.getStackTrace());
		return masked;
	}

	/**
	 * Collects secrets.
	 */
	public static final class Builder {

		private final List<String> values;

		private Builder(List<String> values) {
			this.values = new ArrayList<>(values);
		}

		/**
		 * Add the values of headers, and their words: for example, {@code abc} of
		 * {@code Bearer abc}.
		 */
		public Builder headers(Map<String, String> headers) {
			headers.values().forEach((value) -> {
				add(value, SHORTEST);
				add(Arrays.asList(value.split("\\s+")), SHORTEST);
			});
			return this;
		}

		/**
		 * Add the long words of the value of a header, and of cookies.
		 */
		public Builder credential(String value) {
			for (String word : value.split("[\\s;]+")) {
				add(List.of(word, word.substring(word.indexOf('=') + 1)), SHORTEST_SETTING);
			}
			return this;
		}

		/**
		 * Add the values of environment variables.
		 */
		public Builder environment(Map<String, String> variables) {
			return values(variables.values());
		}

		/**
		 * Add values that are secret as a whole.
		 */
		public Builder values(Collection<String> values) {
			return add(values, SHORTEST);
		}

		/**
		 * Add the arguments of a command that {@link Redaction} masks.
		 */
		public Builder arguments(String command, List<String> args) {
			for (String arg : Redaction.hidden(command, args)) {
				add(arg, SHORTEST);
				add(arg.substring(arg.indexOf('=') + 1), SHORTEST);
			}
			return this;
		}

		/**
		 * Add the user info and the query of a URL.
		 */
		public Builder url(URI url) {
			for (String user : texts(url.getRawUserInfo(), url.getUserInfo())) {
				add(List.of(user, user.substring(user.indexOf(':') + 1)), SHORTEST_SETTING);
			}
			for (String query : texts(url.getRawQuery(), url.getQuery())) {
				addQuery(query, SHORTEST_SETTING);
			}
			return this;
		}

		/**
		 * Add the parts of a URL that may be the ID of a session.
		 * @param shortest the minimum length of a part of the path that is not a name
		 */
		public Builder sessionUrl(URI url, int shortest) {
			add(Arrays.asList(url.getRawPath().split("/")), shortest);
			texts(url.getRawQuery()).forEach((query) -> addQuery(query, SHORTEST));
			return this;
		}

		/**
		 * Add all texts in a value of maps and lists.
		 */
		public Builder settings(@Nullable Object value) {
			if (value instanceof Map<?, ?> map) {
				map.values().forEach(this::settings);
			}
			else if (value instanceof Collection<?> list) {
				list.forEach(this::settings);
			}
			else if (value instanceof String text) {
				add(text, SHORTEST_SETTING);
			}
			return this;
		}

		/**
		 * Build the secrets.
		 */
		public Secrets build() {
			return new Secrets(this.values);
		}

		private static List<String> texts(@Nullable String... texts) {
			return Stream.of(texts).filter(Objects::nonNull).toList();
		}

		private void addQuery(String query, int shortest) {
			for (String parameter : query.split("&")) {
				add(parameter.substring(parameter.indexOf('=') + 1), shortest);
			}
		}

		private Builder add(Collection<String> values, int shortest) {
			values.forEach((value) -> add(value, shortest));
			return this;
		}

		private void add(String value, int shortest) {
			// a multi-line value, such as a key, may be printed line by line
			value.lines()
				.map(String::strip)
				.filter((line) -> line.length() >= shortest && !WORDS.contains(line.toLowerCase(Locale.ROOT)))
				.filter((line) -> !VARIABLE.matcher(line).matches())
				.forEach(this.values::add);
		}

	}

	/**
	 * Replaces a failure whose message contains a secret.
	 */
	private static final class MaskedException extends Exception {

		MaskedException(String text, @Nullable Throwable cause) {
			super(text, cause);
		}

		@Override
		public String toString() {
			return String.valueOf(getMessage());
		}

	}

}
