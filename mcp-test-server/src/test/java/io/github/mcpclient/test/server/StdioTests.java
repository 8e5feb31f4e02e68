package io.github.mcpclient.test.server;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpTestProcess}.
 */
@Timeout(60)
class StdioTests {

	private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

	private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

	private final McpTestServer server = McpTestServer.create().start();

	private @Nullable Process child;

	private BufferedReader stdout;

	@AfterEach
	void close() {
		this.server.close();
		assertThat(this.child.onExit()).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void answersUntilItsInputEnds() throws Exception {
		start("NAME", "value");
		send(PING);
		assertThat(this.stdout.readLine()).isEqualTo(PONG);
		McpTestProcess process = this.server.awaitProcess();
		assertThat(process.pid()).isEqualTo(this.child.pid());
		assertThat(process.environment()).containsEntry("NAME", "value");
		this.child.outputWriter().close();
		process.awaitStdinClosed().awaitExit();
		assertThat(this.child.waitFor()).isZero();
		this.server.awaitSessions(0);
		assertThat(this.server.processes()).isEmpty();
	}

	@Test
	void writesWhatItIsToldBesideMessages() throws Exception {
		this.server.onProcess((process) -> process.print("Listening\n").printError("a key is missing\n"));
		start();
		send(PING);
		assertThat(this.stdout.readLine()).isEqualTo("Listening");
		assertThat(this.stdout.readLine()).isEqualTo(PONG);
		assertThat(this.child.errorReader().readLine()).isEqualTo("a key is missing");
		this.server.awaitProcess().closeStdout();
		assertThat(this.stdout.readLine()).isNull();
		assertThat(this.child.isAlive()).isTrue();
	}

	@Test
	void writesGarbageAndFloods() throws Exception {
		start();
		this.server.onNext("ping", McpTestReply.raw("{nonsense").precededBy("[]"), McpTestReply.flood(100_000));
		send(PING);
		assertThat(this.stdout.readLine()).isEqualTo("[]");
		assertThat(this.stdout.readLine()).isEqualTo("{nonsense");
		send(PING);
		assertThat(this.stdout.readLine()).hasSizeGreaterThan(100_000);
		this.server.onNext("ping", McpTestReply.endless());
		send(PING);
		char[] start = new char[100_000];
		assertThat(this.stdout.read(start)).isPositive();
	}

	@Test
	void endsAsItIsTold() throws Exception {
		this.server.onProcess((process) -> process.printError("no\n").exit(3));
		start();
		assertThat(this.child.waitFor()).isEqualTo(3);
		this.server.onProcess((process) -> {
		});
		start();
		this.server.on("ping", McpTestReply.cut());
		send(PING);
		assertThat(this.child.waitFor()).isNotZero();
		this.server.stop();
		start();
		assertThat(this.child.waitFor()).isOne();
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void ignoresTermination() throws Exception {
		this.server.onProcess(McpTestProcess::ignoreTermination);
		start();
		send(PING);
		assertThat(this.stdout.readLine()).isEqualTo(PONG);
		this.child.destroy();
		this.child.outputWriter().close();
		this.server.awaitProcess().awaitStdinClosed();
		assertThat(this.child.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
		this.server.awaitProcess().kill();
		assertThat(this.child.waitFor()).isNotZero();
	}

	private void start(String... environment) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(this.server.stdioCommand());
		builder.environment().clear();
		for (int i = 0; i < environment.length; i += 2) {
			builder.environment().put(environment[i], environment[i + 1]);
		}
		this.child = builder.start();
		this.stdout = this.child.inputReader();
	}

	private void send(String line) throws IOException {
		BufferedWriter stdin = this.child.outputWriter();
		stdin.write(line);
		stdin.newLine();
		stdin.flush();
	}

}
