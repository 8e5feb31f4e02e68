package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a server says of its authorization (RFC 9728).
 *
 * @param resource its identifier
 * @param authorizationServers the issuers whose tokens it accepts, at least one
 * @param scopes the scopes that it knows
 */
record ProtectedResource(String resource, List<String> authorizationServers, List<String> scopes) {

	private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

	/**
	 * Reads the metadata of a server: where its challenge points to, or else at the
	 * well-known locations.
	 * @param configured the configured identifier, or {@code null}
	 */
	static ProtectedResource of(URI server, @Nullable String configured, BearerChallenge challenge,
			AuthorizationHttp http, Failures failures) {
		String origin = server.getScheme() + "://" + server.getRawAuthority();
		Set<String> urls = new LinkedHashSet<>();
		String given = challenge.get("resource_metadata");
		if (given != null) {
			urls.add(given);
		}
		urls.add(origin + WELL_KNOWN + path(server));
		urls.add(origin + WELL_KNOWN);
		for (String url : urls) {
			Map<String, Object> metadata = http.get(url);
			if (metadata != null) {
				Stream<String> expected = Stream.of(server.toString(), (configured != null) ? configured : "",
						url.equals(origin + WELL_KNOWN) ? origin : "");
				return of(metadata, expected, failures);
			}
		}
		throw failures.of("The server asks for authorization, but does not say which authorization server it trusts",
				null, "Set {auth}.oauth2.issuer-uri or token-uri.");
	}

	/**
	 * A token for another server must not be requested.
	 */
	private static ProtectedResource of(Map<String, Object> metadata, Stream<String> expected, Failures failures) {
		String resource = String.valueOf(metadata.get("resource"));
		if (expected.noneMatch((one) -> canonical(one).equals(canonical(resource)))) {
			throw failures.of("The server's metadata are those of another resource", resource,
					"Correct the server's url, or set {auth}.oauth2.resource.");
		}
		List<String> servers = AuthorizationServer.texts(metadata.get("authorization_servers"));
		if (servers.isEmpty()) {
			throw failures.of("The server's metadata name no authorization server", null,
					"Set {auth}.oauth2.issuer-uri or token-uri.");
		}
		return new ProtectedResource(resource, servers, AuthorizationServer.texts(metadata.get("scopes_supported")));
	}

	/**
	 * Returns the canonical identifier of a server (RFC 8707): its url, without a
	 * fragment and a slash at its end.
	 */
	static String resource(URI server) {
		String text = server.toString();
		int fragment = text.indexOf('#');
		return ((fragment != -1) ? text.substring(0, fragment) : text).replaceFirst("/$", "");
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
