package io.github.mcpclient.testsupport.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Writes down how each invocation of a test with {@link Fault} ended, in the file that
 * the build names by the system property {@value #FILE}.
 */
class FaultRecorder implements TestWatcher {

	static final String FILE = "faults.record";

	private static final Object LOCK = new Object();

	@Override
	public void testSuccessful(ExtensionContext context) {
		record(context, Outcome.PASSED);
	}

	@Override
	public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
		record(context, Outcome.FAILED);
	}

	@Override
	public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
		record(context, Outcome.SKIPPED);
	}

	@Override
	public void testDisabled(ExtensionContext context, Optional<String> reason) {
		record(context, Outcome.SKIPPED);
	}

	private void record(ExtensionContext context, Outcome outcome) {
		String file = System.getProperty(FILE);
		if (file == null || file.isEmpty()) {
			return;
		}
		Method method = context.getRequiredTestMethod();
		Survival survival = method.getAnnotation(Survival.class);
		StringBuilder lines = new StringBuilder();
		for (Fault fault : method.getAnnotationsByType(Fault.class)) {
			for (Transport transport : fault.over()) {
				lines.append(new FaultRecord(outcome, method.getDeclaringClass().getName(), method.getName(),
						fault.value(), transport, (survival != null) ? survival.within() : 0,
						(survival != null) ? survival.cycles() : 0)
					.toLine());
			}
		}
		append(Path.of(file), lines.toString());
	}

	private void append(Path file, String lines) {
		synchronized (LOCK) {
			try {
				Files.createDirectories(file.toAbsolutePath().getParent());
				Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * How an invocation ended.
	 */
	enum Outcome {

		PASSED, FAILED, SKIPPED

	}

}
