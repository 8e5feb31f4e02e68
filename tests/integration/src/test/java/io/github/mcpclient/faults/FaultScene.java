package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.ValidatedDefinitions;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that is about to fail, named {@value #FAULTY}, in an application with two with
 * which nothing is wrong, one over HTTP and one over stdio, whose tools are called all
 * the time. All tests of a class share the application.
 */
final class FaultScene implements AutoCloseable {

	static final String FAULTY = "faulty";

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.github.mcpclient");

	// reconnects come soon, as tests are to be short
	private static final Map<String, Object> SETTINGS = Map.of("mcp.defaults.initialization-timeout", "60s",
			"mcp.defaults.reconnect.initial-delay", "10ms", "mcp.defaults.reconnect.max-delay", "40ms");

	private static @Nullable Surroundings shared;

	private final Survival survival;

	private final ClientApplication application;

	private final Load load;

	private final Set<Long> children = Leaks.children();

	private final AtomicInteger questions = new AtomicInteger();

	private FaultScene(Survival survival, Surroundings surroundings) {
		this.survival = survival;
		this.application = surroundings.application;
		this.load = surroundings.load;
	}

	/**
	 * Add the server, and wait for the end of the first attempt to connect.
	 * @param survival what is to be asserted
	 * @param properties the properties of the server that will fail
	 */
	static FaultScene start(Survival survival, String... properties) {
		if (shared == null) {
			shared = new Surroundings();
		}
		// a hundred cycles would fill pages
		LOGGER.setLevel(Level.ERROR);
		FaultScene scene = TestDefaults.closing(new FaultScene(survival, shared));
		scene.application.manager().add(definition(properties));
		return scene;
	}

	private static McpServerDefinition definition(String... properties) {
		Map<String, Object> all = new HashMap<>(SETTINGS);
		Stream.of(properties).map((property) -> property.split("=", 2)).forEach((pair) -> all.put(pair[0], pair[1]));
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", all));
		List<Set<String>> types = Stream.of(Transport.values()).map((transport) -> Set.of(transport.id())).toList();
		McpServersConfig config = new McpServersConfig(environment, List.of(), null, Set.of());
		return ValidatedDefinitions.of(types, config.properties().transports(), config.servers(types)).get(0);
	}

	/**
	 * End what the tests of a class have shared.
	 */
	static void end() {
		Surroundings surroundings = shared;
		shared = null;
		if (surroundings != null) {
			surroundings.close();
		}
	}

	/**
	 * How often the fault is met, after the first time.
	 */
	int cycles() {
		return Endurance.times(this.survival.cycles());
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
		catch (McpToolException ex) {
			// an answer, and a wrong one
			throw ex;
		}
		catch (McpException ex) {
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
		// what one time leaves on the heap is no trend
		this.load.paused(() -> before[0] = Resources.settled(cycles() > 1 || Endurance.isFull()));
		for (int i = 0; i < cycles(); i++) {
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
		this.application.manager().remove(FAULTY);
		LOGGER.setLevel(null);
		assertThat(Leaks.children()).as("child processes").isSubsetOf(this.children);
	}

	/**
	 * Something that goes wrong.
	 */
	@FunctionalInterface
	interface Fault {

		void happen() throws Exception;

	}

	/**
	 * The application, and the servers with which nothing is wrong.
	 */
	private static final class Surroundings {

		private final Leaks leaks = new Leaks();

		private final FaultyServer server = new FaultyServer(Transport.STREAMABLE_HTTP);

		private final FaultyChild child = new FaultyChild();

		private final ClientApplication application;

		private final Load load;

		Surroundings() {
			this.application = ClientApplication
				.startShared(Stream.of(this.server.properties("server"), this.child.properties("child"))
					.flatMap(Stream::of)
					.toArray(String[]::new));
			this.load = new Load(this.application, Map.of("server_echo", "echo ", "child_echo", "echo "));
		}

		void close() {
			this.load.close();
			this.application.close();
			this.server.close();
			this.child.close();
			this.leaks.assertNone();
		}

	}

}
