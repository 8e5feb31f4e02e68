package io.github.mcpclient.auth.oauth2;

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
