package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.FaultProxy;
import io.github.mcpclient.testsupport.faults.Transport;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A server of {@link Soak}, with those who call it, and the windows in which calls may
 * fail.
 */
final class SoakServer implements AutoCloseable {

	/**
	 * From the end of a fault to a right answer for each caller.
	 */
	static final Duration RECOVERY_BOUND = Duration.ofSeconds(20);

	static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

	private static final int CALLERS = 2;

	private final String name;

	private final Transport transport;

	private final FaultyPeer peer;

	private final @Nullable FaultProxy proxy;

	private final List<SoakCaller> callers = new ArrayList<>();

	private final SoakReport report;

	private volatile @Nullable ClientApplication application;

	/**
	 * Odd while calls may fail.
	 */
	private volatile int window;

	SoakServer(String name, Transport transport, SoakReport report) {
		this.name = name;
		this.transport = transport;
		this.peer = FaultyPeer.start(transport);
		this.proxy = (this.peer instanceof FaultyServer server) ? FaultProxy.to(server.port()) : null;
		this.report = report;
		this.peer.tools(tools());
	}

	String name() {
		return this.name;
	}

	Transport transport() {
		return this.transport;
	}

	Stream<String> properties() {
		String prefix = "mcp.servers." + this.name;
		String[] properties = (this.peer instanceof FaultyServer server) ? server.properties(this.name, proxy().port())
				: this.peer.properties(this.name);
		return Stream.concat(Stream.of(properties),
				Stream.of(prefix + ".request-timeout=" + REQUEST_TIMEOUT.toMillis() + "ms",
						prefix + ".initialization-timeout=" + REQUEST_TIMEOUT.toMillis() + "ms",
						prefix + ".keep-alive-interval=3s"));
	}

	/**
	 * Begin to call.
	 * @param application where the server is connected
	 */
	void begin(ClientApplication application, SoakPause pause) {
		this.application = application;
		await("the first connection", this::isReady);
		for (int i = 0; i < CALLERS; i++) {
			SoakCaller caller = new SoakCaller(this, i, this.report, pause);
			this.callers.add(caller);
			caller.start();
		}
	}

	/**
	 * Stop to call.
	 */
	void end() throws InterruptedException {
		for (SoakCaller caller : this.callers) {
			caller.end();
		}
	}

	/**
	 * Meet a fault, and recover from it.
	 */
	void meet(SoakFault fault, Duration duration) {
		this.report.begins(this.name, fault);
		if (fault.mayFailCalls()) {
			this.window++;
		}
		try {
			fault.happen(this, duration);
			long over = System.nanoTime();
			long[] answers = this.callers.stream().mapToLong(SoakCaller::answers).toArray();
			await("a right answer for each caller", () -> isReady() && haveMoreThan(answers));
			this.report.recovered(Duration.ofNanos(System.nanoTime() - over));
		}
		catch (ConditionTimeoutException | IllegalStateException | AssertionError ex) {
			this.report.notRecovered(this.name + " did not recover from " + fault, ex);
		}
		finally {
			if (fault.mayFailCalls()) {
				this.window++;
			}
		}
	}

	/**
	 * The number of the present window, or of none.
	 */
	int window() {
		return this.window;
	}

	/**
	 * Whether a call may have failed that began in a window and has just ended.
	 */
	boolean mayHaveFailed(int windowAtBegin) {
		return windowAtBegin % 2 == 1 || this.window != windowAtBegin;
	}

	private boolean isReady() {
		return application().state(this.name) == McpServerState.READY;
	}

	private boolean haveMoreThan(long[] answers) {
		for (int i = 0; i < answers.length; i++) {
			// the first may be that of a call that began before
			if (this.callers.get(i).answers() < answers[i] + 2) {
				return false;
			}
		}
		return true;
	}

	void await(String what, Callable<Boolean> condition) {
		Waiting.await(RECOVERY_BOUND).pollInterval(Duration.ofMillis(20)).alias(what).until(condition);
	}

	String call(String tool, Map<String, Object> arguments) {
		return application().text(this.name + "_" + tool, arguments);
	}

	String[] tools() {
		Stream<String> tools = Stream.of("hang", "huge", "endless", "noise", "ids", "storm", "nested", "optional",
				"lookahead");
		Stream<String> more = (this.transport == Transport.STDIO) ? Stream.of("exit", "flood", "mute", "deaf", "fork")
				: Stream.empty();
		return Stream.concat(tools, more).toArray(String[]::new);
	}

	boolean offers(String... tools) {
		return Stream.of(tools).allMatch((tool) -> application().tools().find(this.name + "_" + tool).isPresent());
	}

	FaultyPeer peer() {
		return this.peer;
	}

	FaultyChild child() {
		return (FaultyChild) this.peer;
	}

	FaultyServer http() {
		return (FaultyServer) this.peer;
	}

	FaultProxy proxy() {
		FaultProxy proxy = this.proxy;
		Assert.state(proxy != null, "There is no network between");
		return proxy;
	}

	private ClientApplication application() {
		ClientApplication application = this.application;
		Assert.state(application != null, "Not begun");
		return application;
	}

	@Override
	public void close() {
		if (this.proxy != null) {
			this.proxy.close();
		}
		this.peer.close();
	}

}
