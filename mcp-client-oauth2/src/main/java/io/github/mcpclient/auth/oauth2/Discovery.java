package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDeviation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server says of its authorization (RFC 9728), and the metadata of
 * authorization servers. Blocks.
 */
record Discovery(AuthorizationHttp http) {

	private static final String RESOURCE = "/.well-known/oauth-protected-resource";

	private static final String OAUTH = "/.well-known/oauth-authorization-server";

	private static final String OPENID = "/.well-known/openid-configuration";

	/**
	 * Returns the metadata of the server: where its challenge points to, or else at the
	 * well-known locations. A token for another server must not be requested.
	 * @param configured the configured identifier of the server, or {@code null}
	 */
	Map<String, Object> resource(@Nullable String configured, BearerChallenge challenge) {
		URI server = this.http.server();
		String origin = server.getScheme() + "://" + server.getRawAuthority();
		Set<String> urls = new LinkedHashSet<>();
		String given = challenge.get("resource_metadata");
		if (given != null) {
			urls.add(given);
		}
		urls.addAll(List.of(origin + RESOURCE + path(server), origin + RESOURCE));
		for (String url : urls) {
			Map<String, Object> metadata = this.http.get(url);
			if (metadata != null) {
				String resource = String.valueOf(metadata.get("resource"));
				Set<String> expected = new LinkedHashSet<>(List.of(server.toString()));
				expected.add((configured != null) ? configured : server.toString());
				expected.add(url.equals(origin + RESOURCE) ? origin : server.toString());
				if (expected.stream().noneMatch((one) -> canonical(one).equals(canonical(resource)))) {
					throw this.http.failures()
						.of("The server's metadata are those of another resource", resource,
								"Correct the server's url, or set {auth}.oauth2.resource.");
				}
				if (AuthorizationServer.list(metadata, "authorization_servers").isEmpty()) {
					throw this.http.failures()
						.of("The server's metadata name no authorization server", null,
								"Set {auth}.oauth2.issuer-uri or token-uri.");
				}
				return metadata;
			}
		}
		throw this.http.failures()
			.of("The server asks for authorization, but does not say which authorization server it trusts", null,
					"Set {auth}.oauth2.issuer-uri or token-uri.");
	}

	AuthorizationServer authorizationServer(String issuer) {
		URI uri = this.http.uri(issuer);
		String origin = issuer.substring(0, issuer.indexOf("://") + 3) + uri.getRawAuthority();
		Failures failures = this.http.failures();
		for (String url : new LinkedHashSet<>(
				List.of(origin + OAUTH + path(uri), origin + OPENID + path(uri), origin + path(uri) + OPENID))) {
			Map<String, Object> metadata = this.http.get(url);
			if (metadata != null) {
				String own = String.valueOf(metadata.get("issuer"));
				if (!AuthorizationServer.isSame(issuer, own)) {
					throw failures.of(
							"The metadata of the authorization server " + failures.url(issuer) + " name another issuer",
							own, "Set {auth}.oauth2.issuer-uri to the issuer, if that is the one to trust.");
				}
				if (!issuer.equals(own) && !issuer.equals(this.http.definition().auth().oauth2().issuerUri())) {
					this.http.deviation(Kind.ISSUER, "'" + issuer + "' and '" + own + "'");
				}
				return new AuthorizationServer(own, metadata);
			}
		}
		throw failures.of("The authorization server " + failures.url(issuer) + " has no metadata", null,
				"Correct {auth}.oauth2.issuer-uri, or set token-uri.");
	}

	private static String path(URI uri) {
		return (uri.getRawPath() != null) ? uri.getRawPath().replaceFirst("/$", "") : "";
	}

	private static String canonical(String resource) {
		try {
			URI uri = URI.create(resource);
			return AuthorizationHttp.origin(uri) + path(uri)
					+ ((uri.getRawQuery() != null) ? "?" + uri.getRawQuery() : "");
		}
		catch (IllegalArgumentException ex) {
			return resource;
		}
	}

}
