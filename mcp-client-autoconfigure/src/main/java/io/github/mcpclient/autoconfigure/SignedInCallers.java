package io.github.mcpclient.autoconfigure;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.authorization.McpCallerIdentity;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.util.ClassUtils;

/**
 * Callers are who is signed in with Spring Security. A name alone may be that of somebody
 * who signs in elsewhere.
 */
final class SignedInCallers implements McpCallerIdentity {

	private static final boolean CLAIMS = ClassUtils.isPresent("org.springframework.security.oauth2.core.ClaimAccessor",
			null);

	private static final boolean LOGINS = ClassUtils
		.isPresent("org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken", null);

	@Override
	public Mono<String> identify() {
		return ReactiveSecurityContextHolder.getContext()
			.switchIfEmpty(Mono.fromSupplier(SecurityContextHolder::getContext))
			.mapNotNull(SecurityContext::getAuthentication)
			.filter((user) -> user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken))
			.map(SignedInCallers::key);
	}

	private static String key(Authentication user) {
		Object login = (LOGINS && user instanceof OAuth2AuthenticationToken token)
				? token.getAuthorizedClientRegistrationId() : "";
		Object issuer = (CLAIMS && user.getPrincipal() instanceof ClaimAccessor claims) ? claims.getClaims().get("iss")
				: "";
		// a length cannot be a part of what follows it
		return Stream.of(user.getClass().getName(), login, issuer, user.getName())
			.map((part) -> String.valueOf(part).length() + ":" + part)
			.collect(Collectors.joining());
	}

}
