package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.testsupport.TestServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A connection that is as a test says: READY, and of a server that answers no calls,
 * where it says nothing.
 */
final class TestConnection implements ToolConnection {

	final List<McpServerDeviation.Kind> deviations = new CopyOnWriteArrayList<>();

	private final String name;

	private final AtomicReference<@Nullable Object> kept = new AtomicReference<>();

	boolean ready = true;

	McpServerState state = McpServerState.READY;

	@Nullable String lastError;

	List<Tool> tools = List.of();

	@Nullable TestConnection ofUser;

	@Nullable Object authorization;

	Predicate<Duration> awayFor = (duration) -> false;

	Function<Call<?>, Mono<?>> calls = (call) -> Mono.never();

	TestConnection(String name) {
		this.name = name;
	}

	static TestConnection closed(String name) {
		TestConnection closed = new TestConnection(name);
		closed.state = McpServerState.CLOSED;
		return closed;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public McpServerStatus status() {
		return new TestServerStatus(this.name, this.state, "stdio", "server", false, null, null, 0, 0, 0, 0,
				Instant.EPOCH, 1, null, this.lastError, null, List.of());
	}

	@Override
	public boolean isReady() {
		return this.ready;
	}

	@Override
	public boolean isAwayFor(Duration duration) {
		return this.awayFor.test(duration);
	}

	@Override
	public String transport() {
		return "stdio";
	}

	@Override
	public String line(String text) {
		return text;
	}

	@Override
	public String masked(String text) {
		return text;
	}

	@Override
	public void deviation(McpServerDeviation.Kind kind, String detail) {
		this.deviations.add(kind);
	}

	@Override
	public @Nullable String instructions() {
		return null;
	}

	@Override
	public List<Tool> tools() {
		return this.tools;
	}

	@Override
	public AtomicReference<@Nullable Object> kept() {
		return this.kept;
	}

	@Override
	public Instant now() {
		return Instant.EPOCH;
	}

	@Override
	public @Nullable Instant toolChangedAt(String name) {
		return null;
	}

	@Override
	public boolean isForUsers() {
		return this.ofUser != null;
	}

	@Override
	public Mono<ToolConnection> forCaller() {
		return Mono.just(this);
	}

	@Override
	public Mono<ToolConnection> forListing(Duration wait) {
		return Mono.justOrEmpty(this.ofUser);
	}

	@Override
	public Mono<Context> authorization() {
		return Mono.just(Context.empty());
	}

	@Override
	public @Nullable Object authorization(ContextView context) {
		return this.authorization;
	}

	@Override
	public Context withThread(Context caller) {
		return caller;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> Mono<T> call(Call<T> call) {
		return (Mono<T>) this.calls.apply(call);
	}

}
