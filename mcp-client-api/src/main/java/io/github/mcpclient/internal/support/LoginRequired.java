package io.github.mcpclient.internal.support;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * Recognizes the exception upon which Spring Security's filters begin a login. It must
 * reach these filters, and must not be converted to a text for a model.
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
	 * Return whether a failure means that no user is signed in.
	 */
	public static boolean isOfNobody(Throwable failure) {
		return isInstance(failure, OF_NOBODY);
	}

	// Spring Security is optional on the class path
	private static boolean isInstance(Throwable failure, String type) {
		return Stream.<Class<?>>iterate(failure.getClass(), Objects::nonNull, Class::getSuperclass)
			.anyMatch((known) -> known.getName().equals(type));
	}

}
