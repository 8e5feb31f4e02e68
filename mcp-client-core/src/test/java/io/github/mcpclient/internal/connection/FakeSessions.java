package io.github.mcpclient.internal.connection;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Sessions whose every answer the test gives by hand, or in advance, on the thread that
 * it likes. Each attempt to connect adds a {@link Link}.
 */
final class FakeSessions implements McpSession.Factory {

	final List<Link> links = new CopyOnWriteArrayList<>();

	/** What is done with each new link. */
	Consumer<Link> script = (link) -> {
	};

	/** Whether transports are closed at once, or by hand. */
	boolean closesAtOnce = true;

	boolean supervised = true;

	McpClientTransport transport() {
		Link link = new Link();
		this.links.add(link);
		this.script.accept(link);
		return this.supervised ? link : link.unsupervised();
	}

	@Override
	public McpSession create(McpClientTransport transport, SessionOptions options, McpSession.Listener listener) {
		Link link = (transport instanceof Link itself) ? itself : last();
		link.options = options;
		link.listener = listener;
		return link.session;
	}

	Link last() {
		return this.links.get(this.links.size() - 1);
	}

	int attempts() {
		return this.links.size();
	}

	static Tool tool(String name) {
		return Tool.builder(name, Map.of("type", "object")).build();
	}

	static CallToolResult result(String text) {
		return CallToolResult.builder(List.of(TextContent.builder(text).build())).build();
	}

	/**
	 * One transport with its session.
	 */
	final class Link implements SupervisedTransport {

		final Sinks.Empty<Void> termination = Sinks.empty();

		final Sinks.One<ServerDescription> initialized = Sinks.one();

		// what the test is to answer, by method, oldest first
		private final Map<String, List<Sinks.One<Object>>> asked = new ConcurrentHashMap<>();

		final List<Sinks.One<Object>> listings = asked("tools/list");

		final List<Sinks.One<Object>> calls = asked("tools/call");

		final List<Request> requests = new CopyOnWriteArrayList<>();

		final List<Sinks.Empty<Void>> pings = new CopyOnWriteArrayList<>();

		final List<Duration> pingTimeouts = new CopyOnWriteArrayList<>();

		final Sinks.Empty<Void> closed = Sinks.empty();

		final AtomicInteger closes = new AtomicInteger();

		final AtomicInteger cancelled = new AtomicInteger();

		final FakeSession session = new FakeSession();

		final List<Throwable> terminations = new CopyOnWriteArrayList<>();

		/** What requests end with that were not sent. */
		volatile Throwable unsent;

		List<String> stderr = List.of();

		volatile boolean ended;

		/** Whether pings wait at the client. */
		volatile boolean pingsHeld;

		/** Completes when what is under way at the end has met it by itself. */
		volatile Mono<Void> settled = Mono.empty();

		volatile @Nullable Consumer<Throwable> exceptionHandler;

		/** To be told of a gap. */
		volatile Runnable gap = () -> {
		};

		/** Answers listings, in place of the test. */
		volatile @Nullable List<Tool> tools;

		/** Answers calls, in place of the test. */
		volatile @Nullable Function<CallToolRequest, Mono<CallToolResult>> answer;

		volatile @Nullable ServerDescription described;

		volatile @Nullable SessionOptions options;

		volatile McpSession.@Nullable Listener listener;

		Link initialize() {
			return initialize("2025-11-25", ServerCapabilities.builder().tools(true).build());
		}

		Link initialize(String version, ServerCapabilities capabilities) {
			this.described = ServerDescription.of(version, Implementation.builder("fake", "1.0").build(), capabilities,
					null);
			this.initialized.tryEmitValue(this.described);
			return this;
		}

		Link list(String... names) {
			Sinks.One<Object> listing = this.listings.get(this.listings.size() - 1);
			listing.tryEmitValue(List.of(names).stream().map(FakeSessions::tool).toList());
			return this;
		}

		void failListing(Throwable failure) {
			this.listings.get(this.listings.size() - 1).tryEmitError(failure);
		}

		void ready(String... tools) {
			initialize().list(tools);
		}

		void refuse(Throwable failure) {
			this.initialized.tryEmitError(failure);
		}

		void die(Throwable cause) {
			this.ended = true;
			this.termination.tryEmitError(cause);
		}

		void die(String message) {
			die(new TransportException(message, null, null));
		}

		/**
		 * Return the requests of a method.
		 */
		List<Sinks.One<Object>> asked(String method) {
			return this.asked.computeIfAbsent(method, (name) -> new CopyOnWriteArrayList<>());
		}

		/**
		 * Return how long the requests of a method were to wait.
		 */
		Stream<Duration> timeouts(String method) {
			return this.requests.stream().filter((request) -> request.method().equals(method)).map(Request::timeout);
		}

		/**
		 * This transport as one that knows nothing of supervision.
		 */
		private McpClientTransport unsupervised() {
			return (McpClientTransport) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { McpClientTransport.class },
					(proxy, method, arguments) -> method.invoke(this, arguments));
		}

		@Override
		public void setExceptionHandler(Consumer<Throwable> handler) {
			this.exceptionHandler = handler;
		}

		@Override
		public Mono<Void> termination() {
			return this.termination.asMono();
		}

		@Override
		public boolean hasEnded() {
			return this.ended;
		}

		@Override
		public void onMissedNotifications(Runnable listener) {
			this.gap = listener;
		}

		@Override
		public Mono<Void> settled() {
			return this.settled;
		}

		@Override
		public List<String> stderr() {
			return this.stderr;
		}

		@Override
		public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
			return Mono.empty();
		}

		@Override
		public Mono<Void> sendMessage(JSONRPCMessage message) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Mono<Void> closeGracefully() {
			return Mono.defer(() -> {
				this.closes.incrementAndGet();
				if (FakeSessions.this.closesAtOnce) {
					this.closed.tryEmitEmpty();
				}
				return this.closed.asMono().doOnSuccess((done) -> this.termination.tryEmitEmpty());
			});
		}

		@Override
		public <T> T unmarshalFrom(Object data, TypeRef<T> typeRef) {
			throw new UnsupportedOperationException();
		}

		/**
		 * Keeps the contract of a session: its end fails all that is under way.
		 */
		final class FakeSession implements McpSession {

			private final Sinks.Empty<Void> end = Sinks.empty();

			private final AtomicInteger pending = new AtomicInteger();

			@Override
			public Mono<ServerDescription> open() {
				return untilEnd(Link.this.initialized.asMono());
			}

			@Override
			public <T> Mono<List<T>> list(ItemKind<T> kind) {
				return ask(kind.method(),
						() -> (kind == ItemKind.TOOLS && Link.this.tools != null) ? Mono.just(Link.this.tools) : null);
			}

			@Override
			public <T> Mono<T> request(Call<T> call) {
				return Mono.defer(() -> {
					Link.this.requests
						.add(new Request(call.method(), call.options().patience(), call.options().remaining()));
					this.pending.incrementAndGet();
					return this.<T>ask(call.method(), () -> answer(call.params()))
						.doOnNext((result) -> Link.this.listener.messageReceived())
						.doOnTerminate(this.pending::decrementAndGet)
						.doOnCancel(this.pending::decrementAndGet)
						.doOnCancel(Link.this.cancelled::incrementAndGet);
				});
			}

			private @Nullable Mono<?> answer(Object params) {
				Function<CallToolRequest, Mono<CallToolResult>> answer = Link.this.answer;
				return (answer != null && params instanceof CallToolRequest request) ? answer.apply(request) : null;
			}

			@SuppressWarnings("unchecked")
			private <T> Mono<T> ask(String method, Supplier<@Nullable Mono<?>> given) {
				return Mono.defer(() -> {
					Sinks.One<Object> byHand = Sinks.one();
					asked(method).add(byHand);
					Mono<?> answer = given.get();
					return untilEnd((Mono<T>) ((answer != null) ? answer : byHand.asMono()));
				});
			}

			@Override
			public Mono<Void> renew() {
				return Link.this.options.replayed().renew(this, Link.this.described, Link.this.listener);
			}

			@Override
			public Mono<Void> ping(Duration timeout) {
				return Mono.deferContextual((context) -> {
					SendState.queued(context, Link.this.pingsHeld);
					Sinks.Empty<Void> ping = Sinks.empty();
					Link.this.pings.add(ping);
					Link.this.pingTimeouts.add(timeout);
					return untilEnd(ping.asMono());
				});
			}

			@Override
			public int pendingCount() {
				return this.pending.get();
			}

			@Override
			public void terminate(Throwable cause, Throwable unsent) {
				Link.this.terminations.add(cause);
				Link.this.unsent = unsent;
				this.end.tryEmitError(cause);
			}

			@Override
			public Mono<Void> close() {
				return closeGracefully();
			}

			@SuppressWarnings("unchecked")
			private <T> Mono<T> untilEnd(Mono<T> signals) {
				return Mono.firstWithSignal((Mono<T>) this.end.asMono(), signals);
			}

		}

	}

	/**
	 * Records what a connection tells.
	 */
	static final class Events implements McpConnectionListener {

		final List<String> all = new ArrayList<>();

		final List<McpException> failures = new CopyOnWriteArrayList<>();

		/** Thrown when tools are told of. */
		Error failure;

		@Override
		public synchronized void stateChanged(McpServerState previous, McpServerStatus status) {
			this.all.add(previous + "->" + status.state());
		}

		@Override
		public synchronized void toolsChanged(List<Tool> tools) {
			this.all.add("tools " + tools.stream().map(Tool::name).toList());
			if (this.failure != null) {
				throw this.failure;
			}
		}

		@Override
		public synchronized void toolsWithdrawn() {
			this.all.add("withdrawn");
		}

		@Override
		public synchronized void promptsChanged() {
			this.all.add("prompts");
		}

		@Override
		public synchronized void resourcesChanged() {
			this.all.add("resources");
		}

		@Override
		public void failed(McpException exception) {
			this.failures.add(exception);
		}

		synchronized List<String> take() {
			List<String> taken = List.copyOf(this.all);
			this.all.clear();
			return taken;
		}

	}

	/**
	 * A request, and how long it was to wait when it was made.
	 */
	record Request(String method, Duration timeout, Duration longest) {

	}

}
