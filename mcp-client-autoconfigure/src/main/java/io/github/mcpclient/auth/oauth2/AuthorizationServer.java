package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The metadata of an authorization server (RFC 8414, or OpenID Connect Discovery).
 *
 * @param issuer its identifier, or {@code null} if only its endpoints are configured
 * @param metadata the document
 */
record AuthorizationServer(@Nullable String issuer, Map<String, ?> metadata) {

	private static final String OAUTH = "/.well-known/oauth-authorization-server";

	private static final String OPENID = "/.well-known/openid-configuration";

	static final String TOKEN_ENDPOINT = "token_endpoint";

	static final String AUTHORIZATION_ENDPOINT = "authorization_endpoint";

	/**
	 * Reads the metadata of the authorization server that an issuer identifier names.
	 */
	static AuthorizationServer of(String issuer, AuthorizationHttp http, Failures failures) {
		URI uri = http.uri(issuer);
		String origin = issuer.substring(0, issuer.indexOf("://") + 3) + uri.getRawAuthority();
		String path = (uri.getRawPath() != null) ? uri.getRawPath().replaceFirst("/$", "") : "";
		List<String> urls = new ArrayList<>(List.of(origin + OAUTH + path, origin + OPENID + path));
		if (!path.isEmpty()) {
			urls.add(origin + path + OPENID);
		}
		for (String url : urls) {
			Map<String, Object> metadata = http.get(url);
			if (metadata != null) {
				if (!issuer.equals(metadata.get("issuer"))) {
					throw failures.of(
							"The metadata of the authorization server " + failures.url(issuer) + " name another issuer",
							String.valueOf(metadata.get("issuer")),
							"Set {auth}.oauth2.issuer-uri to the issuer, if that is the one to trust.");
				}
				return new AuthorizationServer(issuer, metadata);
			}
		}
		throw failures.of("The authorization server " + failures.url(issuer) + " has no metadata", null,
				"Correct {auth}.oauth2.issuer-uri, or set token-uri.");
	}

	/**
	 * Returns an endpoint or another text, or {@code null}.
	 */
	@Nullable String text(String name) {
		return (this.metadata.get(name) instanceof String text) ? text : null;
	}

	boolean flag(String name) {
		return Boolean.TRUE.equals(this.metadata.get(name));
	}

	List<String> list(String name) {
		return texts(this.metadata.get(name));
	}

	static List<String> texts(@Nullable Object value) {
		return (value instanceof List<?> list)
				? list.stream().filter(String.class::isInstance).map(String.class::cast).limit(100).toList()
				: List.of();
	}

}
