package io.github.mcpclient.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What the url of a server must look like. The messages hold nothing of the url but its
 * scheme, since credentials can be in any other part.
 */
final class UrlRules {

	private static final int HIGHEST_PORT = 65535;

	private UrlRules() {
	}

	/**
	 * Read a url.
	 * @param url the url
	 * @return the url, its scheme in lower case so that {@code HTTPS} is not taken for
	 * another one than {@code https}, or {@code null} if it cannot be read
	 */
	static @Nullable URI parse(String url) {
		int scheme = url.indexOf(':') + 1;
		try {
			return new URI(url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme));
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	/**
	 * Find what is wrong with a url.
	 * @param url the url
	 * @param schemes the schemes that it may have, or none for any
	 * @return a message, or {@code null} if nothing is wrong
	 */
	static @Nullable String mistake(String url, List<String> schemes) {
		URI uri;
		try {
			uri = new URI(url);
		}
		catch (URISyntaxException ex) {
			// its reason and index do not hold parts of the url
			return "The url cannot be read: " + ex.getReason().toLowerCase(Locale.ROOT)
					+ ((ex.getIndex() != -1) ? " (character " + (ex.getIndex() + 1) + ")." : ".");
		}
		String scheme = uri.getScheme();
		String expected = String.join(" or ", schemes.stream().map((name) -> name + "://").toList());
		if (scheme == null || (!schemes.isEmpty() && !schemes.contains(scheme.toLowerCase(Locale.ROOT)))) {
			return "The url must begin with " + (schemes.isEmpty() ? "a scheme, such as https://" : expected) + ".";
		}
		if (schemes.isEmpty()) {
			return null;
		}
		if (uri.getHost() == null) {
			return "The url has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.";
		}
		if (uri.getPort() == 0 || uri.getPort() > HIGHEST_PORT) {
			return "The port of the url must be from 1 to " + HIGHEST_PORT + ".";
		}
		return (uri.getRawFragment() != null) ? "The url must not have a fragment ('#'): it is never sent." : null;
	}

}
