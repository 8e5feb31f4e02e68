package io.github.mcpclient.testsupport;

import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

import org.springframework.util.ReflectionUtils;

/**
 * What each class of tests begins with, found by JUnit itself. A test may wait long
 * enough for a machine that is slow and busy, and looks often enough not to waste time on
 * one that is not. The log has the level that an application has by default, whatever
 * applications of earlier tests were told. What a test opened is closed at its end, what
 * its fields hold after it, and what the static ones hold after the last one: what came
 * last goes first.
 */
public final class TestDefaults implements BeforeAllCallback, TestInstancePreConstructCallback,
		AfterTestExecutionCallback, AfterEachCallback, AfterAllCallback {

	/**
	 * What a busy machine may need for something that takes no time.
	 */
	public static final Duration LIMIT = Duration.ofSeconds(30);

	private static final List<Class<?>> CLOSED = List.of(AutoCloseable.class, Disposable.class, ExecutorService.class);

	private static final Deque<AutoCloseable> OPEN = new ConcurrentLinkedDeque<>();

	private static volatile boolean testing;

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		StepVerifier.setDefaultTimeout(LIMIT);
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
	}

	@Override
	public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context)
			throws ClassNotFoundException {
		// what static fields hold does not belong to the first test
		Class.forName(factory.getTestClass().getName(), true, factory.getTestClass().getClassLoader());
		testing = true;
	}

	/**
	 * Close something after the test that runs, if there is one.
	 * @param resource what was opened
	 * @return the same
	 */
	public static <T extends AutoCloseable> T closing(T resource) {
		afterTest(resource);
		return resource;
	}

	/**
	 * Do something after the test that runs, if there is one.
	 */
	public static void afterTest(AutoCloseable action) {
		if (testing) {
			OPEN.push(action);
		}
	}

	@Override
	public void afterTestExecution(ExtensionContext context) throws Exception {
		close(OPEN);
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		testing = false;
		Object test = context.getRequiredTestInstance();
		OPEN.addAll(fields(test.getClass(), test));
		close(OPEN);
	}

	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		close(fields(context.getRequiredTestClass(), null));
	}

	private static Deque<AutoCloseable> fields(Class<?> type, @Nullable Object test) {
		Deque<AutoCloseable> resources = new ArrayDeque<>();
		ReflectionUtils.doWithFields(type, (field) -> {
			ReflectionUtils.makeAccessible(field);
			Object value = field.get(test);
			if (value instanceof ExecutorService executor) {
				resources.push(executor::shutdownNow);
			}
			else if (value instanceof Disposable disposable) {
				resources.push(disposable::dispose);
			}
			else if (value instanceof AutoCloseable resource) {
				resources.push(resource);
			}
		}, (field) -> Modifier.isStatic(field.getModifiers()) == (test == null)
				&& CLOSED.stream().anyMatch((closed) -> closed.isAssignableFrom(field.getType())));
		return resources;
	}

	/**
	 * Close all, the last one too if one before does not close.
	 */
	private static void close(Deque<AutoCloseable> resources) throws Exception {
		try (AutoCloseable last = resources.pollLast()) {
			if (last != null) {
				close(resources);
			}
		}
	}

}
