package io.github.mcpclient.auth.oauth2;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of the first {@code Bearer} challenge in {@code WWW-Authenticate}, and
 * of the first {@code DPoP} challenge, by their names in lower case (RFC 9110, section
 * 11.6.1, RFC 6750, section 3, and RFC 9449, section 7.1).
 */
record BearerChallenge(Map<String, String> parameters) {

	static final int MAX_SCOPES = 64;

	private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}");

	// the scheme of a challenge, or a parameter; possessive, and so in linear time. The
	// padding of a token68 is skipped
	private static final Pattern WORD = Pattern
		.compile("\\G[\\s,]*+([^\\s,=\"]++)\\s*+(=\\s*+(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"?+|([^\\s,\"]*+)))?+");

	/**
	 * Parse all values of the header. Text after a malformed part is ignored.
	 */
	static BearerChallenge parse(List<String> values) {
		Map<String, String> parameters = new LinkedHashMap<>(of("bearer", values).parameters);
		of(Dpop.SCHEME, values).parameters.forEach(parameters::putIfAbsent);
		return new BearerChallenge(parameters);
	}

	/**
	 * Parse the first challenge of a scheme.
	 */
	static BearerChallenge of(String scheme, List<String> values) {
		Map<String, String> parameters = new LinkedHashMap<>();
		for (String value : values) {
			boolean found = false;
			for (Matcher word = WORD.matcher(value); word.find();) {
				if (word.group(2) == null) {
					if (found) {
						break;
					}
					found = word.group(1).equalsIgnoreCase(scheme);
				}
				else if (found) {
					String text = (word.group(3) != null) ? word.group(3).replaceAll("\\\\(.)", "$1") : word.group(4);
					parameters.putIfAbsent(word.group(1).toLowerCase(Locale.ROOT), text);
				}
			}
			if (found) {
				break;
			}
		}
		return new BearerChallenge(parameters);
	}

	@Nullable String get(String name) {
		return this.parameters.get(name);
	}

	/**
	 * Return the scopes that a request lacked, empty if it was rejected for another
	 * reason.
	 */
	Set<String> demanded(int status) {
		return (status == 403 && "insufficient_scope".equals(get("error"))) ? scopes(get("scope")) : Set.of();
	}

	/**
	 * Split untrusted scopes, and omit malformed ones.
	 */
	static Set<String> scopes(@Nullable String text) {
		return (text != null) ? Arrays.stream(text.split(" "))
			.filter((scope) -> SCOPE.matcher(scope).matches())
			.limit(MAX_SCOPES)
			.collect(Collectors.toCollection(LinkedHashSet::new)) : Set.of();
	}

}
