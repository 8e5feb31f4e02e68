package io.github.mcpclient.tool;

import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.util.ClassUtils;

/**
 * Recognises the exception upon which Spring Security's filters begin a login: it is not
 * for a model, who would read it, but for them.
 */
final class LoginRequired {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.security.oauth2.client.ClientAuthorizationRequiredException",
			LoginRequired.class.getClassLoader());

	private LoginRequired() {
	}

	static boolean is(Exception failure) {
		return PRESENT && failure instanceof ClientAuthorizationRequiredException;
	}

}
