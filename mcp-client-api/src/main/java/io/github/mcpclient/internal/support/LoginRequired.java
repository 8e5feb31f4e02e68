package io.github.mcpclient.internal.support;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * Recognises the exception upon which Spring Security's filters begin a login: it is not
 * for a model, who would read it, but for them.
 */
public final class LoginRequired {

	private static final String OF_LOGIN = "org.springframework.security.oauth2.client.ClientAuthorizationRequiredException";

	private static final String OF_NOBODY = "org.springframework.security.authentication.AuthenticationCredentialsNotFoundException";

	private static final int MAX_CAUSES = 20;

	private LoginRequired() {
	}

	/**
	 * Return whether a failure is that exception.
	 */
	public static boolean is(Throwable failure) {
		return isInstance(failure, OF_LOGIN);
	}

	/**
	 * Return whether a failure comes from that exception.
	 */
	public static boolean isCauseOf(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch(LoginRequired::is);
	}

	/**
	 * Return whether a failure says that nobody is signed in.
	 */
	public static boolean isOfNobody(Throwable failure) {
		return isInstance(failure, OF_NOBODY);
	}

	// Spring Security is not on every class path
	private static boolean isInstance(Throwable failure, String type) {
		return Stream.<Class<?>>iterate(failure.getClass(), Objects::nonNull, Class::getSuperclass)
			.anyMatch((known) -> known.getName().equals(type));
	}

}
