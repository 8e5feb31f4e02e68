package io.github.mcpclient.testsupport;

import java.util.concurrent.Callable;

/**
 * Does what throws checked exceptions, where a test cannot declare them.
 */
public final class Unchecked {

	private Unchecked() {
	}

	public static <T> T get(Callable<T> task) {
		try {
			return task.call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	public static void run(Task task) {
		get(() -> {
			task.run();
			return null;
		});
	}

	/**
	 * What throws checked exceptions.
	 */
	@FunctionalInterface
	public interface Task {

		void run() throws Exception;

	}

}
