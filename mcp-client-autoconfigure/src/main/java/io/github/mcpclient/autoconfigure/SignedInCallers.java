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
 * Identifies callers as the users who are signed in with Spring Security. A name alone is
 * not sufficient, since another identity provider may have a user with the same name.
 */
final class SignedInCallers implements McpCallerIdentity {

	private static final boolean CLAIMS = ClassUtils.isPresent("org.springframework.security.oauth2.core.ClaimAccessor",
			null);

	private static final boolean LOGINS = ClassUtils
		.isPresent("org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken", null);

	@Override
	public Mono<String> identify() {
		return user().map(SignedInCallers::key);
	}

	@Override
	public Mono<String> name() {
		return user().map(SignedInCallers::shown);
	}

	private static Mono<Authentication> user() {
		return ReactiveSecurityContextHolder.getContext()
			.switchIfEmpty(Mono.fromSupplier(SecurityContextHolder::getContext))
			.mapNotNull(SecurityContext::getAuthentication)
			.filter((user) -> user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken));
	}

	private static String shown(Authentication user) {
		String login = login(user);
		return login.isEmpty() ? user.getName() : user.getName() + " (" + login + ")";
	}

	private static String login(Authentication user) {
		return (LOGINS && user instanceof OAuth2AuthenticationToken token) ? token.getAuthorizedClientRegistrationId()
				: "";
	}

	private static String key(Authentication user) {
		Object issuer = (CLAIMS && user.getPrincipal() instanceof ClaimAccessor claims) ? claims.getClaims().get("iss")
				: "";
		// a length cannot be a part of what follows it
		return Stream.of(user.getClass().getName(), login(user), issuer, user.getName())
			.map((part) -> String.valueOf(part).length() + ":" + part)
			.collect(Collectors.joining());
	}

}
