package io.github.mcpclient.support;

import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.util.ClassUtils;

/**
 * Recognises the exception upon which Spring Security's filters begin a login: it is not
 * for a model, who would read it, but for them.
 */
public final class LoginRequired {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.security.oauth2.client.ClientAuthorizationRequiredException",
			LoginRequired.class.getClassLoader());

	private static final int MAX_CAUSES = 20;

	private LoginRequired() {
	}

	/**
	 * Returns whether a failure is that exception.
	 */
	public static boolean is(Throwable failure) {
		return PRESENT && failure instanceof ClientAuthorizationRequiredException;
	}

	/**
	 * Returns whether a failure comes from that exception.
	 */
	public static boolean isCauseOf(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch(LoginRequired::is);
	}

	/**
	 * Returns whether a failure says that nobody is signed in.
	 */
	public static boolean isOfNobody(Throwable failure) {
		return PRESENT && failure instanceof AuthenticationCredentialsNotFoundException;
	}

}
