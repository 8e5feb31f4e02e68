package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.faults.SoakPlan.Step;
import io.github.mcpclient.faults.SoakServer.Kind;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A long run of an application with several servers under a steady load of calls, in
 * which one server after the other meets a random fault. Tells at the end what came of
 * the calls, and what is left. Not part of the tests.
 */
public final class Soak {

	private static final List<Kind> SERVERS = List.of(Kind.STDIO, Kind.STDIO, Kind.STDIO, Kind.STREAMABLE_HTTP,
			Kind.STREAMABLE_HTTP, Kind.STREAMABLE_HTTP, Kind.WEBSOCKET, Kind.WEBSOCKET, Kind.OAUTH,
			Kind.OAUTH_OF_USERS);

	private final long seed;

	private final Duration length;

	private final SoakReport report;

	private final SoakPause pause = new SoakPause();

	private final SoakNeighbours neighbours;

	private final List<SoakServer> servers = new ArrayList<>();

	// of each server one, so that its faults come one after the other
	private final List<ExecutorService> executors = new ArrayList<>();

	// of each server the last one that was begun
	private final List<CompletableFuture<Void>> faults = new ArrayList<>();

	private Soak(long seed, Duration length, boolean verbose) {
		this.seed = seed;
		this.length = length;
		this.report = new SoakReport(System.out, verbose);
		this.neighbours = new SoakNeighbours(this.report, this.pause);
	}

	/**
	 * Run it.
	 * @param args {@code --minutes}, {@code --seed}, {@code --verbose} to print each
	 * fault
	 */
	public static void main(String[] args) throws Exception {
		Map<String, String> options = options(args);
		long seed = options.containsKey("--seed") ? Long.parseLong(options.get("--seed"))
				: new Random().nextInt(1_000_000);
		double minutes = Double.parseDouble(options.getOrDefault("--minutes", "10"));
		Soak soak = new Soak(seed, Duration.ofMillis((long) (minutes * 60_000)), options.containsKey("--verbose"));
		System.exit(soak.run() ? 0 : 1);
	}

	private static Map<String, String> options(String[] args) {
		Map<String, String> options = new HashMap<>();
		for (int i = 0; i < args.length; i++) {
			if (args[i].equals("--verbose")) {
				options.put(args[i], "");
			}
			else if (List.of("--minutes", "--seed").contains(args[i]) && i + 1 < args.length) {
				options.put(args[i], args[++i]);
			}
			else {
				System.err.println("Usage: benchmarks/soak [--minutes <minutes>] [--seed <number>] [--verbose]");
				System.exit(2);
			}
		}
		return options;
	}

	private boolean run() throws Exception {
		Leaks leaks = new Leaks();
		List<String> properties = new ArrayList<>(
				List.of("mcp.startup.wait=30s", "mcp.defaults.reconnect.initial-delay=100ms",
						"mcp.defaults.reconnect.max-delay=1s", "logging.level.root=off", "logging.level.reactor=off"));
		for (Kind kind : SERVERS) {
			SoakServer server = new SoakServer(kind.id() + "-" + this.servers.size(), kind, this.report);
			this.servers.add(server);
			ExecutorService executor = Executors.newSingleThreadExecutor();
			this.executors.add(executor);
			// starts its thread
			this.faults.add(CompletableFuture.runAsync(() -> {
			}, executor));
			server.properties().forEach(properties::add);
		}
		this.neighbours.properties().forEach(properties::add);
		Resources before;
		Resources after;
		try (ClientApplication application = ClientApplication.start(WebApplicationType.NONE,
				new Class<?>[] { Interception.class }, properties.toArray(String[]::new))) {
			this.servers.forEach((server) -> server.begin(application, this.pause));
			this.neighbours.begin(application);
			meetEachFaultOnce();
			before = resources();
			this.report.say("Each fault was met once. Seed " + this.seed);
			meetFaults();
			this.report.say("All servers are back");
			after = compare(before);
			for (SoakServer server : this.servers) {
				server.end();
			}
			this.neighbours.end();
		}
		this.servers.forEach(SoakServer::close);
		this.neighbours.close();
		this.executors.forEach(ExecutorService::shutdown);
		assertNone(leaks);
		this.report.print(before, after);
		return this.report.isClean();
	}

	/**
	 * What is made once, on first use, is no leak.
	 */
	private void meetEachFaultOnce() {
		for (Kind kind : EnumSet.copyOf(SERVERS)) {
			int server = SERVERS.indexOf(kind);
			for (SoakFault fault : SoakFault.over(kind)) {
				begin(new Step(server, fault, Duration.ofMillis(500), Duration.ZERO));
			}
		}
		awaitFaults();
	}

	private void meetFaults() throws InterruptedException {
		SoakPlan plan = new SoakPlan(this.seed, SERVERS);
		long began = System.nanoTime();
		long minutes = 0;
		while (System.nanoTime() - began < this.length.toNanos()) {
			Step step = plan.next();
			TimeUnit.MILLISECONDS.sleep(step.gap().toMillis());
			this.faults.get(step.server()).join();
			begin(step);
			long now = Duration.ofNanos(System.nanoTime() - began).toMinutes();
			if (now > minutes) {
				minutes = now;
				this.report.progress();
			}
		}
		awaitFaults();
	}

	private void begin(Step step) {
		SoakServer server = this.servers.get(step.server());
		CompletableFuture<Void> before = this.faults.get(step.server());
		this.faults.set(step.server(), before.thenRunAsync(() -> server.meet(step.fault(), step.duration()),
				this.executors.get(step.server())));
	}

	private void awaitFaults() {
		this.faults.forEach(CompletableFuture::join);
	}

	private Resources resources() {
		Resources[] resources = new Resources[1];
		this.pause.pause(() -> resources[0] = Resources.settled());
		return resources[0];
	}

	/**
	 * Wait until there is nothing more than before.
	 */
	private Resources compare(Resources before) {
		try {
			this.pause.pause(before::assertNoMoreNow);
		}
		catch (AssertionError | ConditionTimeoutException ex) {
			this.report.leaked("while the application runs", ex);
		}
		return resources();
	}

	private void assertNone(Leaks leaks) {
		try {
			leaks.assertNone();
		}
		catch (AssertionError | ConditionTimeoutException ex) {
			this.report.leaked("when the application is closed", ex);
		}
	}

	/**
	 * An interceptor as an application may have it, which holds a thread for each
	 * asynchronous call.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Interception {

		@Bean
		McpToolInterceptor passingOn() {
			return (tool, request, chain) -> chain.proceed(request);
		}

	}

}
