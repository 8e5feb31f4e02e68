package io.github.mcpclient.internal.support;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Shows URLs and commands without values that look like secrets.
 */
public final class Redaction {

	private static final List<String> SECRET_WORDS = List.of("token", "secret", "password", "passwd", "api-key",
			"apikey", "api_key", "credential", "authorization", "bearer", "auth", "header", "access-key", "access_key",
			"private-key", "private_key", "connection-string");

	private static final Pattern URL = Pattern.compile(
			"\\b([a-z][a-z0-9+.-]*://)([^\\s/?#@]*@)?([^\\s?#\"'<>]*)(\\?[^\\s\"'<>]*)?", Pattern.CASE_INSENSITIVE);

	// the patterns begin with their fixed parts, which is much faster: of JSON, perhaps
	// within a string of other JSON, where quotes have backslashes
	private static final Pattern MEMBER = Pattern
		.compile("(?=[\\\\\"])(?<!\\\\)(\\\\{0,15}+)\"([\\w.-]{1,60}+)\\1\"\\s*+:\\s*+(?:\\[\\s*+)?\\1\"");

	private static final Pattern SECRET_MEMBER = Pattern.compile(
			"(?:^|.*[_.-])token|.*(?:authorization|cookie|passw(?:or)?d|passphrase|secret|credentials?"
					+ "|(?:api|access|private)[_-]?key|(?:access|refresh|id|auth|session|api|bearer)token)",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern CREDENTIAL = Pattern
		.compile("(?=[Bbe:?&])(?:((?<!\\w)(?i:bearer|basic)\\s++)(?=[A-Za-z._~+/-]*+[0-9=])[\\w.~+/-]{8,}+=*+"
				+ "|(?<![\\w-])eyJ[\\w-]{8,}+\\.[\\w-]++(?:\\.[\\w-]*+)?|(://)[^\\s/?#@\"\\\\]++(?=@)"
				+ "|([?&](?i:(?:[\\w.-]{0,30}[_.-])?(?:token|key|secret|password|sig|signature))=)[^&\\s\"\\\\#]++)");

	private Redaction() {
	}

	/**
	 * Return JSON without values that look like credentials, by the name of their member
	 * or by themselves.
	 */
	public static String json(String json) {
		StringBuilder redacted = new StringBuilder(json.length());
		Matcher member = MEMBER.matcher(json);
		int end = 0;
		while (member.find(end)) {
			redacted.append(json, end, member.end());
			end = member.end();
			if (SECRET_MEMBER.matcher(member.group(2)).matches()) {
				redacted.append(Secrets.MASK);
				end = endOfString(json, end, member.group(1).length());
			}
		}
		return CREDENTIAL.matcher(redacted.append(json, end, json.length())).replaceAll((match) -> {
			String retained = Stream.of(1, 2, 3).map(match::group).filter(Objects::nonNull).findFirst().orElse("");
			return Matcher.quoteReplacement(retained) + Secrets.MASK;
		});
	}

	/**
	 * Return whether a member of this name is a credential, regardless of its value.
	 */
	public static boolean isSecretMember(String name) {
		return SECRET_MEMBER.matcher(name).matches();
	}

	// a string ends with a quote that has the same number of backslashes as the quote at
	// its beginning, ignoring escaped backslashes
	private static int endOfString(String json, int start, int backslashes) {
		for (int quote = json.indexOf('"', start); quote != -1; quote = json.indexOf('"', quote + 1)) {
			int first = quote;
			while (first > start && json.charAt(first - 1) == '\\') {
				first--;
			}
			int escapes = quote - first - backslashes;
			if (escapes < 0 || escapes % (2 * (backslashes + 1)) == 0) {
				return quote - Math.min(quote - first, backslashes);
			}
		}
		return json.length();
	}

	/**
	 * Return a JSON value of maps and lists with its texts changed, or the same one if no
	 * text changes.
	 * @param change returns the replacement of a text
	 * @param names whether names of members are changed, too
	 */
	public static @Nullable Object texts(@Nullable Object value, UnaryOperator<String> change, boolean names) {
		if (value instanceof String text) {
			return change.apply(text);
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> items = new ArrayList<>(list.size());
			boolean same = true;
			for (Object item : list) {
				Object changed = texts(item, change, names);
				same &= changed == item;
				items.add(changed);
			}
			return same ? list : items;
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			boolean same = true;
			for (Map.Entry<?, ?> member : map.entrySet()) {
				String name = String.valueOf(member.getKey());
				String shown = names ? change.apply(name) : name;
				Object changed = texts(member.getValue(), change, names);
				same &= changed == member.getValue() && shown.equals(name);
				members.put(shown, changed);
			}
			return same ? map : members;
		}
		return value;
	}

	/**
	 * Return a URL without its user info and the values of its query.
	 */
	public static String url(URI url) {
		if (url.isOpaque() || url.getHost() == null) {
			return url.getScheme() + ":" + Secrets.MASK;
		}
		String port = (url.getPort() != -1) ? ":" + url.getPort() : "";
		String path = (url.getRawPath() != null) ? url.getRawPath() : "";
		String query = (url.getRawQuery() != null) ? "?" + query(url.getRawQuery()) : "";
		return url.getScheme() + "://" + url.getHost() + port + path + query;
	}

	/**
	 * Return a text with all URLs in it redacted.
	 */
	public static String urls(String text) {
		return text.contains("://") ? URL.matcher(text).replaceAll((match) -> {
			String query = (match.group(4) != null) ? "?" + query(match.group(4).substring(1)) : "";
			return Matcher.quoteReplacement(match.group(1) + match.group(3) + query);
		}) : text;
	}

	/**
	 * Return a command line without the values of options that look secret, and with URLs
	 * redacted.
	 */
	public static String command(String command, List<String> args) {
		return String.join(" ", arguments(words(command, args)));
	}

	/**
	 * Return the arguments that {@link #command} masks.
	 */
	static List<String> hidden(String command, List<String> args) {
		List<String> words = words(command, args);
		List<String> redacted = arguments(words);
		return IntStream.range(words.size() - args.size(), words.size())
			.filter((i) -> !redacted.get(i).equals(words.get(i)))
			.mapToObj(words::get)
			.toList();
	}

	private static List<String> words(String command, List<String> args) {
		// a command with arguments is invalid, but must not reveal secrets either
		return Stream.concat(Stream.of(command.split(" ", -1)), args.stream()).toList();
	}

	/**
	 * Return the arguments as {@link #command} shows them.
	 */
	public static List<String> arguments(List<String> words) {
		List<String> redacted = new ArrayList<>();
		boolean secretFollows = false;
		for (String word : words) {
			boolean option = word.startsWith("-");
			redacted.add((secretFollows && !option) ? Secrets.MASK : argument(word));
			secretFollows = option && word.indexOf('=') == -1 && isSecretName(word);
		}
		return redacted;
	}

	private static String argument(String arg) {
		int scheme = arg.indexOf("://");
		if (scheme > 0) {
			int start = arg.lastIndexOf('=', scheme) + 1;
			try {
				return arg.substring(0, start) + url(URI.create(arg.substring(start)));
			}
			catch (IllegalArgumentException ex) {
				return Secrets.MASK;
			}
		}
		int equals = arg.indexOf('=');
		return (equals > 0 && isSecretName(arg.substring(0, equals))) ? arg.substring(0, equals + 1) + Secrets.MASK
				: arg;
	}

	private static String query(String query) {
		// a parameter without a name consists of a value only
		return Stream.of(query.split("&", -1))
			.map((parameter) -> parameter.substring(0, parameter.indexOf('=') + 1) + Secrets.MASK)
			.collect(Collectors.joining("&"));
	}

	private static boolean isSecretName(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return SECRET_WORDS.stream().anyMatch(lower::contains) || lower.equals("-h");
	}

}
