package io.github.mcpclient.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A JVM that was started for one measurement, on the class path of one module. All have
 * the same options.
 */
final class Jvm implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(15);

	private static final int KEPT_LINES = 40;

	private final String description;

	private final Process process;

	private final PrintWriter input;

	private final BufferedReader output;

	private final Deque<String> lastLines = new ArrayDeque<>();

	private Jvm(String description, Process process) {
		this.description = description;
		this.process = process;
		this.input = new PrintWriter(process.outputWriter(), true);
		this.output = process.inputReader();
	}

	/**
	 * Start a JVM that drives a client.
	 */
	static Jvm start(Contestant contestant, Class<?> main, List<String> arguments) throws IOException {
		List<String> all = new ArrayList<>();
		all.add(contestant.className());
		all.addAll(arguments);
		return start(contestant.java(), contestant.module(), main, all);
	}

	static Jvm start(String module, Class<?> main, List<String> arguments) throws IOException {
		return start(Path.of(System.getProperty("java.home")), module, main, arguments);
	}

	private static Jvm start(Path java, String module, Class<?> main, List<String> arguments) throws IOException {
		List<String> command = command(java, module, main);
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		return new Jvm(module + " " + main.getSimpleName() + " " + arguments, process);
	}

	/**
	 * Return the command that starts the Java of a directory with the class path of a
	 * module.
	 */
	static List<String> command(Path java, String module, Class<?> main) throws IOException {
		Path target = Path.of(module, "target");
		String classPath = target.resolve("classes").toAbsolutePath() + File.pathSeparator
				+ Files.readString(target.resolve("class-path")).strip();
		return new ArrayList<>(
				List.of(java.resolve("bin").resolve("java").toString(), "-Xmx512m", "-cp", classPath, main.getName()));
	}

	/**
	 * Return a script that runs a class of the harness.
	 */
	static Path script(Class<?> main) throws IOException {
		List<String> command = command(Path.of(System.getProperty("java.home")), "harness", main);
		return Files.writeString(Files.createTempFile(main.getSimpleName(), ".sh"),
				"exec " + String.join(" ", command) + "\n");
	}

	/**
	 * Ask the JVM for something.
	 * @param limit the time after which the JVM is killed
	 * @return the result
	 * @throws IllegalStateException if the JVM ends without one
	 */
	Result ask(String request, Duration limit) throws IOException {
		this.input.println(request);
		return next(limit);
	}

	/**
	 * Wait for the next result, a quarter of an hour at most.
	 * @throws IllegalStateException if the JVM ends without one
	 */
	Result next() throws IOException {
		return next(LIMIT);
	}

	private Result next(Duration limit) throws IOException {
		CompletableFuture<Void> kill = CompletableFuture.runAsync(this.process::destroyForcibly,
				CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
		Result result = read();
		if (!kill.cancel(false) || result == null) {
			throw new IllegalStateException(
					this.description + (kill.isCancelled() ? " ended without a result:\n" : " hung:\n")
							+ String.join("\n", this.lastLines));
		}
		return result;
	}

	private @Nullable Result read() throws IOException {
		String line = this.output.readLine();
		while (line != null) {
			Result result = Result.parse(line);
			if (result != null) {
				return result;
			}
			if (this.lastLines.size() == KEPT_LINES) {
				this.lastLines.removeFirst();
			}
			this.lastLines.addLast(line);
			line = this.output.readLine();
		}
		return null;
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
