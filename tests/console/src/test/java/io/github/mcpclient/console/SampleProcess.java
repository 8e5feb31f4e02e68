package io.github.mcpclient.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample's jar in a process of its own, as its users run it.
 */
final class SampleProcess implements AutoCloseable {

	private static final Path JAR = Path.of("../../sample-app/target/sample-app.jar");

	private static final Pattern CONSOLE = Pattern.compile("http://localhost:\\d+/mcp-console");

	private final Process process;

	private final String url;

	private SampleProcess(Process process, String url) {
		this.process = process;
		this.url = url;
	}

	/**
	 * Start the sample, and wait until it says where its console is.
	 * @param arguments beside ports that are free
	 */
	static SampleProcess start(String... arguments) {
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		Assumptions.assumeTrue(required || Files.exists(JAR), "The sample is not packaged");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-jar", JAR.toString(), "--server.port=0",
						"--sample.demo-server.port=" + Peers.freePort()));
		command.addAll(List.of(arguments));
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			BufferedReader output = process.inputReader();
			StringBuilder log = new StringBuilder();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				log.append(line).append('\n');
				Matcher console = CONSOLE.matcher(line);
				if (console.find()) {
					drain(output);
					return new SampleProcess(process, console.group());
				}
			}
			throw new AssertionError("The sample does not say where its console is:\n" + log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void drain(BufferedReader output) {
		Thread reader = new Thread(() -> output.lines().forEach((line) -> {
		}), "sample-output");
		reader.setDaemon(true);
		reader.start();
	}

	String url() {
		return this.url;
	}

	@Override
	public void close() {
		this.process.destroy();
		assertThat(this.process.onExit().join().isAlive()).isFalse();
	}

}
