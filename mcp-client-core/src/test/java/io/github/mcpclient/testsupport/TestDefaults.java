package io.github.mcpclient.testsupport;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;
import reactor.test.StepVerifier;

import org.springframework.util.ReflectionUtils;

/**
 * What each class of tests begins with, found by JUnit itself. A test may wait long
 * enough for a machine that is slow and busy, and looks often enough not to waste time on
 * one that is not. The log has the level that an application has by default, whatever
 * applications of earlier tests were told. What the fields of a test hold is closed after
 * it, and what the static ones hold after the last one: what was declared last goes
 * first.
 */
public final class TestDefaults implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		StepVerifier.setDefaultTimeout(LIMIT);
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		closeFields(context.getRequiredTestInstance().getClass(), context.getRequiredTestInstance());
	}

	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		closeFields(context.getRequiredTestClass(), null);
	}

	private static void closeFields(Class<?> type, @Nullable Object test) throws Exception {
		Deque<Field> fields = new ArrayDeque<>();
		ReflectionUtils.doWithFields(type, fields::push,
				(field) -> Modifier.isStatic(field.getModifiers()) == (test == null)
						&& AutoCloseable.class.isAssignableFrom(field.getType()));
		for (Field field : fields) {
			ReflectionUtils.makeAccessible(field);
			if (ReflectionUtils.getField(field, test) instanceof AutoCloseable resource) {
				resource.close();
			}
		}
	}

}
