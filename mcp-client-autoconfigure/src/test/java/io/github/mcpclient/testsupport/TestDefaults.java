package io.github.mcpclient.testsupport;

import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;
import reactor.test.StepVerifier;

/**
 * What each class of tests begins with, found by JUnit itself. A test may wait long
 * enough for a machine that is slow and busy, and looks often enough not to waste time on
 * one that is not. The log has the level that an application has by default, whatever
 * applications of earlier tests were told.
 */
public final class TestDefaults implements BeforeAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		StepVerifier.setDefaultTimeout(LIMIT);
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
	}

}
