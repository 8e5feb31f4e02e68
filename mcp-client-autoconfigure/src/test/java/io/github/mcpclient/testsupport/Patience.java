package io.github.mcpclient.testsupport;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.test.StepVerifier;

/**
 * Lets every test wait long enough for a machine that is slow and busy, and look often
 * enough not to waste time on one that is not. Found by JUnit itself.
 */
public final class Patience implements BeforeAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		StepVerifier.setDefaultTimeout(LIMIT);
	}

}
