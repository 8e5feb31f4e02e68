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
	 * Start a JVM that drives a client. It has a quarter of an hour to do so.
	 */
	static Jvm start(Contestant contestant, Class<?> main, List<String> arguments) throws IOException {
		List<String> all = new ArrayList<>();
		all.add(contestant.className());
		all.addAll(arguments);
		Jvm jvm = start(contestant.java(), contestant.module(), main, all);
		CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS).execute(jvm.process::destroyForcibly);
		return jvm;
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
	 * Ask the JVM for something.
	 * @return the result
	 */
	Result ask(String request) throws IOException {
		this.input.println(request);
		return next();
	}

	/**
	 * Wait for the next result.
	 * @throws IllegalStateException if the JVM ends without one
	 */
	Result next() throws IOException {
		Result result = read();
		if (result == null) {
			throw new IllegalStateException(
					this.description + " ended without a result:\n" + String.join("\n", this.lastLines));
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
