package io.github.mcpclient.auth.oauth2;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The metadata of an authorization server (RFC 8414, or OpenID Connect Discovery).
 *
 * @param issuer its identifier, or {@code null} if only its endpoints are configured
 * @param metadata the document
 */
record AuthorizationServer(@Nullable String issuer, Map<String, ?> metadata) {

	private static final Pattern ORIGIN = Pattern.compile("(?i)(https?)://([\\x21-\\x7E&&[^/?#@\\\\]]+?)(:443|:80)?/?");

	/**
	 * Return the form in which an issuer is compared and stored. An issuer that is an
	 * origin only has several forms (RFC 3986, section 6.2.3), any other exactly one.
	 */
	static String canonical(String issuer) {
		Matcher origin = ORIGIN.matcher(issuer);
		if (!origin.matches()) {
			return issuer;
		}
		String scheme = origin.group(1).toLowerCase(Locale.ROOT);
		String port = Objects.requireNonNullElse(origin.group(3), "");
		return scheme + "://" + origin.group(2).toLowerCase(Locale.ROOT)
				+ (port.equals(scheme.equals("https") ? ":443" : ":80") ? "" : port);
	}

	/**
	 * Return whether two issuers are the same authorization server.
	 */
	static boolean isSame(@Nullable String one, @Nullable String other) {
		return one != null && other != null && canonical(one).equals(canonical(other));
	}

	@Nullable String text(String name) {
		return (this.metadata.get(name) instanceof String text) ? text : null;
	}

	boolean flag(String name) {
		return Boolean.TRUE.equals(this.metadata.get(name));
	}

	List<String> list(String name) {
		return list(this.metadata, name);
	}

	static List<String> list(Map<String, ?> metadata, String name) {
		return (metadata.get(name) instanceof List<?> list)
				? list.stream().filter(String.class::isInstance).map(String.class::cast).limit(100).toList()
				: List.of();
	}

}
