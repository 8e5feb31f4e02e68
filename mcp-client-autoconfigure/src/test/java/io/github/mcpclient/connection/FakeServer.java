package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.session.Call;
import io.github.mcpclient.session.ItemKind;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.session.SessionListener;
import io.github.mcpclient.session.SessionOptions;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.transport.SupervisedTransport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A server whose every answer the test gives by hand, or in advance. Each attempt to
 * connect adds a {@link Link}.
 */
final class FakeServer extends McpSessionFactory {

	final List<Link> links = new CopyOnWriteArrayList<>();

	/** What is done with each new link. */
	Consumer<Link> script = (link) -> {
	};

	/** Whether transports are closed at once, or by hand. */
	boolean closesAtOnce = true;

	boolean supervised = true;

	FakeServer() {
		super(null, null);
	}

	McpClientTransport transport() {
		Link link = new Link();
		this.links.add(link);
		this.script.accept(link);
		return this.supervised ? link : new Foreign(link);
	}

	@Override
	public McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener) {
		Link link = (transport instanceof Foreign foreign) ? foreign.link : (Link) transport;
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

		final Sinks.One<InitializeResult> initialized = Sinks.one();

		final List<Sinks.One<List<Tool>>> listings = new CopyOnWriteArrayList<>();

		final List<Sinks.One<CallToolResult>> calls = new CopyOnWriteArrayList<>();

		final List<Sinks.One<List<Prompt>>> promptListings = new CopyOnWriteArrayList<>();

		final List<Sinks.One<List<Resource>>> resourceListings = new CopyOnWriteArrayList<>();

		final List<Sinks.One<List<ResourceTemplate>>> templateListings = new CopyOnWriteArrayList<>();

		final List<Sinks.One<GetPromptResult>> prompts = new CopyOnWriteArrayList<>();

		final List<Sinks.One<ReadResourceResult>> resources = new CopyOnWriteArrayList<>();

		final List<Sinks.One<CompleteResult>> completions = new CopyOnWriteArrayList<>();

		final List<Duration> readTimeouts = new CopyOnWriteArrayList<>();

		final List<Duration> callTimeouts = new CopyOnWriteArrayList<>();

		final List<Duration> callMaxTimeouts = new CopyOnWriteArrayList<>();

		final List<Sinks.Empty<Void>> pings = new CopyOnWriteArrayList<>();

		final List<Duration> pingTimeouts = new CopyOnWriteArrayList<>();

		final Sinks.Empty<Void> closed = Sinks.empty();

		final AtomicInteger closes = new AtomicInteger();

		final AtomicInteger cancelled = new AtomicInteger();

		final FakeSession session = new FakeSession();

		final List<Throwable> terminations = new CopyOnWriteArrayList<>();

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

		volatile @Nullable SessionOptions options;

		volatile @Nullable SessionListener listener;

		Link initialize() {
			return initialize("2025-11-25", ServerCapabilities.builder().tools(true).build());
		}

		Link initialize(String version, ServerCapabilities capabilities) {
			this.initialized.tryEmitValue(
					InitializeResult.builder(version, capabilities, Implementation.builder("fake", "1.0").build())
						.build());
			return this;
		}

		Link list(String... names) {
			Sinks.One<List<Tool>> listing = this.listings.get(this.listings.size() - 1);
			listing.tryEmitValue(List.of(names).stream().map(FakeServer::tool).toList());
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

		int openListings() {
			return this.listings.size();
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
		public void onGap(Runnable listener) {
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
				if (FakeServer.this.closesAtOnce) {
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
			public Mono<InitializeResult> open() {
				return untilEnd(Link.this.initialized.asMono());
			}

			@Override
			@SuppressWarnings("unchecked")
			public <T> Mono<List<T>> list(ItemKind<T> kind) {
				if (kind != ItemKind.TOOLS) {
					return (Mono<List<T>>) open((kind == ItemKind.PROMPTS) ? Link.this.promptListings
							: (kind == ItemKind.RESOURCES) ? Link.this.resourceListings : Link.this.templateListings);
				}
				return Mono.defer(() -> {
					Sinks.One<List<Tool>> listing = Sinks.one();
					Link.this.listings.add(listing);
					if (Link.this.tools != null) {
						listing.tryEmitValue(Link.this.tools);
					}
					return (Mono<List<T>>) (Mono<?>) untilEnd(listing.asMono());
				});
			}

			@Override
			@SuppressWarnings("unchecked")
			public <T> Mono<T> request(Call<T> call) {
				if (call.params() instanceof CallToolRequest request) {
					return (Mono<T>) callTool(request, call);
				}
				Link.this.readTimeouts.add(call.timeout());
				return (Mono<T>) open((call.params() instanceof GetPromptRequest) ? Link.this.prompts
						: (call.params() instanceof ReadResourceRequest) ? Link.this.resources : Link.this.completions);
			}

			@SuppressWarnings("unchecked")
			private Mono<?> open(List<?> requests) {
				return Mono.defer(() -> {
					Sinks.One<Object> answer = Sinks.one();
					((List<Object>) requests).add(answer);
					return untilEnd(answer.asMono()).doOnCancel(Link.this.cancelled::incrementAndGet);
				});
			}

			private Mono<CallToolResult> callTool(CallToolRequest request, Call<?> options) {
				return Mono.defer(() -> {
					Sinks.One<CallToolResult> call = Sinks.one();
					Link.this.callTimeouts.add(options.timeout());
					Link.this.callMaxTimeouts
						.add((options.maxTimeout() != null) ? options.maxTimeout() : Duration.ZERO);
					Link.this.calls.add(call);
					Function<CallToolRequest, Mono<CallToolResult>> answer = Link.this.answer;
					this.pending.incrementAndGet();
					return untilEnd((answer != null) ? answer.apply(request) : call.asMono())
						.doOnNext((result) -> Link.this.listener.messageReceived())
						.doOnTerminate(this.pending::decrementAndGet)
						.doOnCancel(this.pending::decrementAndGet)
						.doOnCancel(Link.this.cancelled::incrementAndGet);
				});
			}

			@Override
			public Mono<Void> ping(Duration timeout) {
				return Mono.deferContextual((context) -> {
					Departure.hold(context, Link.this.pingsHeld);
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
	 * A transport that knows nothing of supervision.
	 */
	private record Foreign(Link link) implements McpClientTransport {

		@Override
		public void setExceptionHandler(Consumer<Throwable> handler) {
			this.link.exceptionHandler = handler;
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
			return this.link.closeGracefully();
		}

		@Override
		public <T> T unmarshalFrom(Object data, TypeRef<T> typeRef) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * Records what a connection tells.
	 */
	static final class Events implements McpConnectionListener {

		final List<String> all = new ArrayList<>();

		/** Thrown when tools are told of. */
		Error failure;

		@Override
		public synchronized void stateChanged(io.github.mcpclient.McpServerState previous,
				io.github.mcpclient.McpServerStatus status) {
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
		public synchronized void promptsChanged() {
			this.all.add("prompts");
		}

		@Override
		public synchronized void resourcesChanged() {
			this.all.add("resources");
		}

		synchronized List<String> take() {
			List<String> taken = List.copyOf(this.all);
			this.all.clear();
			return taken;
		}

	}

}
