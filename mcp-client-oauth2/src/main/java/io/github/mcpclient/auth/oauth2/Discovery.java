package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the protected resource metadata of a server (RFC 9728), and the metadata of
 * authorization servers. Blocks.
 */
record Discovery(AuthorizationHttp http) {

	private static final String RESOURCE = "/.well-known/oauth-protected-resource";

	private static final String OAUTH = "/.well-known/oauth-authorization-server";

	private static final String OPENID = "/.well-known/openid-configuration";

	private static final String SERVERS = "authorization_servers";

	private static final String NEXT_STEP = "Set {auth}.oauth2.issuer-uri or token-uri.";

	/**
	 * Return the metadata of the server: from the location in its challenge, else from
	 * the well-known locations; finally, its own origin as the authorization server. The
	 * metadata must not be about another server.
	 * @param configured the configured identifier of the server, or {@code null}
	 */
	Map<String, Object> resource(@Nullable String configured, BearerChallenge challenge) {
		String origin = origin(this.http.server());
		List<String> own = List.of(origin + RESOURCE + path(this.http.server()), origin + RESOURCE);
		String given = challenge.get("resource_metadata");
		Set<String> urls = new LinkedHashSet<>((given != null) ? List.of(given) : List.of());
		urls.addAll(own);
		Failures failures = this.http.failures();
		TransportException problem = null;
		TransportException refusal = null;
		Map<String, Object> incomplete = Map.of();
		boolean absent = true;
		for (String url : urls) {
			boolean asked = false;
			try {
				this.http.uri(url);
				asked = true;
				AuthorizationHttp.Response response = this.http.get(url);
				Map<String, Object> metadata = response.json();
				refusal = (metadata != null) ? null : failures.gateway(url, response);
				if (metadata != null) {
					check(url, metadata, configured);
					if (!AuthorizationServer.list(metadata, SERVERS).isEmpty()) {
						return reported(problem, metadata);
					}
					incomplete = incomplete.isEmpty() ? metadata : incomplete;
				}
				// a server that is down or behind a gateway may name an authorization
				// server later
				absent &= refusal == null && !response.status().is5xxServerError() && response.status().value() != 429;
				if (url.equals(given)) {
					problem = failures.of("The server names metadata that cannot be used",
							(metadata != null) ? "no authorization server at " + url
									: "HTTP " + response.status().value() + " without a JSON object at " + url,
							NEXT_STEP);
				}
			}
			catch (TransportException ex) {
				absent &= !asked;
				problem = (problem != null) ? problem : ex;
				if (own.contains(url)) {
					throw problem;
				}
			}
		}
		Map<String, Object> complete = absent ? completed(incomplete, origin) : null;
		if (complete != null) {
			return reported(incomplete.isEmpty() ? problem : null, complete);
		}
		problem = (refusal != null) ? refusal : problem;
		throw (problem != null) ? problem
				: failures.of(incomplete.isEmpty()
						? "The server requires authorization, but does not say which authorization server it trusts"
						: "The server's metadata names no authorization server", null, NEXT_STEP);
	}

	private Map<String, Object> reported(@Nullable TransportException problem, Map<String, Object> metadata) {
		if (problem != null) {
			this.http.deviation(Kind.RESOURCE_METADATA, String.valueOf(problem.getMessage()));
		}
		return metadata;
	}

	/**
	 * Add the server's own origin as the authorization server, as specified by version
	 * 2025-03-26, if metadata there confirms it: default endpoints would receive
	 * credentials without being an authorization server. Metadata of another issuer fails
	 * later.
	 */
	private @Nullable Map<String, Object> completed(Map<String, Object> resource, String origin) {
		Object others = resource.get(SERVERS);
		Map<String, Object> metadata = (others == null || others.equals(List.of()))
				? this.http.get(origin + OAUTH).json() : null;
		if (metadata == null || !(metadata.get("issuer") instanceof String issuer)) {
			return null;
		}
		boolean itself = AuthorizationServer.isSame(origin, issuer);
		if (itself) {
			this.http.deviation(Kind.AUTHORIZATION_SERVER, "used is " + issuer);
		}
		Map<String, Object> completed = new LinkedHashMap<>(resource);
		completed.put(SERVERS, List.of(itself ? issuer : origin));
		return completed;
	}

	/**
	 * Reject metadata of another server.
	 */
	private void check(String url, Map<String, Object> metadata, @Nullable String configured) {
		URI server = this.http.server();
		String resource = String.valueOf(metadata.get("resource"));
		if (Stream.of(server.toString(), configured, url.equals(origin(server) + RESOURCE) ? origin(server) : null)
			.anyMatch((one) -> one != null && canonical(one).equals(canonical(resource)))) {
			return;
		}
		if (!isAbove(resource, url)) {
			throw this.http.failures()
				.of("The server's resource metadata describes a different resource", resource,
						"Correct the server's URL, or set {auth}.oauth2.resource.");
		}
		if (configured == null) {
			this.http.deviation(Kind.RESOURCE, this.http.failures().url(resource));
		}
	}

	/**
	 * Return whether a resource is the server or a parent of it. Its tokens are valid for
	 * all servers below it: it must be named at a well-known location, which no other
	 * server of the same origin controls.
	 */
	private boolean isAbove(String resource, String url) {
		URI server = this.http.server();
		URI above = AuthorizationHttp.parse(resource);
		return above != null && above.getHost() != null && above.getRawUserInfo() == null && above.getRawQuery() == null
				&& above.getRawFragment() == null
				&& AuthorizationHttp.origin(above).equals(AuthorizationHttp.origin(server))
				&& (path(server) + "/").startsWith(path(above) + "/") && Stream.of(path(server), "", path(above))
					.anyMatch((path) -> url.equals(origin(server) + RESOURCE + path));
	}

	AuthorizationServer authorizationServer(String issuer) {
		URI uri = this.http.uri(issuer);
		String origin = origin(uri);
		Failures failures = this.http.failures();
		TransportException refusal = null;
		for (String url : new LinkedHashSet<>(
				List.of(origin + OAUTH + path(uri), origin + OPENID + path(uri), origin + path(uri) + OPENID))) {
			AuthorizationHttp.Response response = this.http.get(url);
			Map<String, Object> metadata = response.json();
			refusal = (metadata != null) ? null : failures.gateway(url, response);
			if (metadata != null) {
				String own = String.valueOf(metadata.get("issuer"));
				if (!AuthorizationServer.isSame(issuer, own)) {
					throw failures.of(
							"The metadata of the authorization server " + failures.url(issuer)
									+ " names another issuer",
							own, "Set {auth}.oauth2.issuer-uri to the issuer, if you trust it.");
				}
				if (!issuer.equals(own) && !issuer.equals(this.http.definition().auth().oauth2().issuerUri())) {
					this.http.deviation(Kind.ISSUER, "'" + issuer + "' and '" + own + "'");
				}
				return new AuthorizationServer(own, metadata);
			}
		}
		throw (refusal != null) ? refusal
				: failures.of("The authorization server " + failures.url(issuer) + " has no metadata", null,
						"Correct {auth}.oauth2.issuer-uri, or set token-uri.");
	}

	private static String origin(URI uri) {
		return uri.getScheme() + "://" + uri.getRawAuthority();
	}

	private static String path(URI uri) {
		return (uri.getRawPath() != null) ? uri.getRawPath().replaceFirst("/$", "") : "";
	}

	private static String canonical(String resource) {
		URI uri = AuthorizationHttp.parse(resource);
		String query = (uri != null && uri.getRawQuery() != null) ? "?" + uri.getRawQuery() : "";
		return (uri != null) ? AuthorizationHttp.origin(uri) + path(uri) + query : resource;
	}

}
