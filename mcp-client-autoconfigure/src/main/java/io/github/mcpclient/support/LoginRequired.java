package io.github.mcpclient.support;

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

	private LoginRequired() {
	}

	/**
	 * Returns whether a failure is that exception.
	 */
	public static boolean is(Throwable failure) {
		return PRESENT && failure instanceof ClientAuthorizationRequiredException;
	}

}
