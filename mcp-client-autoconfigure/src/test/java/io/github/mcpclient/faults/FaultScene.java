package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a server that is about to fail, named {@value #FAULTY}, and two
 * with which nothing is wrong, one over HTTP and one over stdio, whose tools are called
 * all the time.
 */
final class FaultScene implements AutoCloseable {

	static final String FAULTY = "faulty";

	/**
	 * Reconnects come soon, as tests are to be short.
	 */
	private static final List<String> SETTINGS = List.of("mcp.startup.wait=30s",
			"mcp.defaults.reconnect.initial-delay=10ms", "mcp.defaults.reconnect.max-delay=40ms",
			// a hundred cycles would fill pages
			"logging.level.io.github.mcpclient=error");

	private final Leaks leaks = new Leaks();

	private final FaultyServer healthyServer = new FaultyServer(Transport.STREAMABLE_HTTP);

	private final FaultyChild healthyChild = new FaultyChild();

	private final Survival survival;

	private final ClientApplication application;

	private final Load load;

	private final AtomicInteger questions = new AtomicInteger();

	private FaultScene(Survival survival, List<String> properties) {
		this.survival = survival;
		List<String> all = new ArrayList<>(SETTINGS);
		all.addAll(List.of(this.healthyServer.properties("server")));
		all.addAll(List.of(this.healthyChild.properties("child")));
		all.addAll(properties);
		this.application = ClientApplication.start(all.toArray(String[]::new));
		this.load = new Load(this.application, Map.of("server_echo", "echo ", "child_echo", "echo "));
	}

	/**
	 * Start the application.
	 * @param survival what is to be asserted
	 * @param server the properties of the server that will fail
	 * @param more more properties
	 */
	static FaultScene start(Survival survival, String[] server, String... more) {
		List<String> properties = new ArrayList<>(List.of(server));
		properties.addAll(List.of(more));
		return new FaultScene(survival, properties);
	}

	ClientApplication application() {
		return this.application;
	}

	McpServerStatus status() {
		return this.application.registry().server(FAULTY).status();
	}

	/**
	 * The names of the tools of the server that will fail.
	 */
	List<String> toolNames() {
		return this.application.tools()
			.all()
			.stream()
			.map(McpTool::name)
			.filter((name) -> name.startsWith(FAULTY + "_"))
			.toList();
	}

	/**
	 * Begin to call a tool of the server that will fail.
	 */
	Mono<McpToolResult> call(String tool) {
		return this.application.tools().get(FAULTY + "_" + tool).callAsync(Map.of());
	}

	/**
	 * Wait until the server answers, within the bound.
	 */
	void awaitRecovery() {
		Waiting.await(Duration.ofSeconds(this.survival.within())).alias("recovery").until(this::answers);
	}

	private boolean answers() {
		String question = "q" + this.questions.incrementAndGet();
		try {
			String answer = this.application.text(FAULTY + "_echo", Map.of("message", question));
			// the reference server says it with a capital and a colon
			assertThat(answer.toLowerCase(Locale.ROOT).replace(":", "")).isEqualTo("echo " + question);
			return this.application.state(FAULTY) == McpServerState.READY;
		}
		catch (McpException | NoSuchMcpToolException ex) {
			return false;
		}
	}

	/**
	 * Wait until the other servers were called again, and fail if ever a call failed.
	 */
	void assertOthersGoOn() {
		this.load.assertGoesOn();
	}

	/**
	 * Meet a fault once, and then as often as told, and assert all that there is to
	 * assert.
	 * @param fault makes the server fail, returns when the fault is over
	 */
	void survives(Fault fault) throws Exception {
		// what is made once, on first use, is no leak
		meet(fault);
		Resources[] before = new Resources[1];
		this.load.paused(() -> before[0] = Resources.settled());
		for (int i = 0; i < this.survival.cycles(); i++) {
			meet(fault);
		}
		this.load.assertGoesOn();
		this.load.paused(before[0]::assertNoMoreNow);
	}

	private void meet(Fault fault) throws Exception {
		awaitRecovery();
		fault.happen();
		awaitRecovery();
		this.load.assertGoesOn();
	}

	@Override
	public void close() {
		try {
			this.load.close();
			this.application.close();
			this.healthyServer.close();
			this.leaks.assertNone();
		}
		finally {
			this.healthyChild.close();
			((Logger) LoggerFactory.getLogger("io.github.mcpclient")).setLevel(null);
		}
	}

	/**
	 * Something that goes wrong.
	 */
	@FunctionalInterface
	interface Fault {

		void happen() throws Exception;

	}

}
