package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.ProtocolVersions;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * The legacy protocol (2024-11-05 to 2025-11-25): a session begins with
 * {@code initialize}, and the server remembers it.
 */
final class LegacyEra implements Era, WireFormat {

	// servers may use timers that last no longer than 24 days
	private static final Duration LONGEST_TASK = Duration.ofDays(1);

	private final McpSession session;

	private final SessionOptions options;

	private final McpSession.Listener listener;

	private final RequestChannel channel;

	private final McpClientTransport transport;

	private final IncomingRequests incoming;

	private volatile ClientCapabilities capabilities = ClientCapabilities.builder().build();

	private volatile boolean runsTasks;

	// the tools that are run as tasks only
	private volatile Set<String> tasks = Set.of();

	LegacyEra(McpSession session, McpClientTransport transport, SessionOptions options, McpSession.Listener listener,
			RequestChannel channel, IncomingRequests incoming) {
		this.session = session;
		this.options = options;
		this.listener = listener;
		this.channel = channel;
		this.transport = transport;
		this.incoming = incoming;
	}

	/**
	 * Set the capabilities that the client declares.
	 */
	void declare(ClientCapabilities capabilities) {
		this.capabilities = capabilities;
	}

	@Override
	public Mono<ServerDescription> open() {
		String setting = this.options.definition().protocol();
		List<String> versions = this.transport.protocolVersions()
			.stream()
			.filter((version) -> ProtocolVersions.LEGACY.contains(setting) ? version.equals(setting)
					: !version.equals(ProtocolVersions.FIRST_STATELESS))
			.toList();
		Assert.notEmpty(versions, "The transport has no protocol version");
		String known = this.options.era().version();
		String first = (known != null && versions.contains(known)) ? known : versions.get(versions.size() - 1);
		HandshakeReader reader = new HandshakeReader(this.transport, versions, setting, this.listener);
		return initialize(first, Set.of(), reader).flatMap((server) -> {
			this.channel.negotiated(server.protocolVersion());
			this.runsTasks = server.offers(ProtocolNames.TASKS)
					&& ProtocolVersions.LAST_LEGACY.equals(server.protocolVersion());
			return this.channel.notify(McpSchema.METHOD_NOTIFICATION_INITIALIZED)
				.onErrorResume(this::isTolerable, (refusal) -> {
					this.listener.deviation(Kind.INITIALIZED, EraDetection.text(refusal));
					return Mono.empty();
				})
				.thenReturn(server);
		});
	}

	// the requests that follow show whether the server is there
	private boolean isTolerable(Throwable failure) {
		boolean refused = (failure instanceof HttpStatusException answer) ? !answer.isChallenge()
				: (failure instanceof TransportException broken && broken.isPossiblyProcessed());
		return refused && this.transport instanceof MessageHeaders.Carrier
				&& !(this.transport instanceof SupervisedTransport supervised && supervised.hasEnded());
	}

	// some servers refuse a protocol version, with or without a list of supported ones
	private Mono<ServerDescription> initialize(String version, Set<String> refused, HandshakeReader reader) {
		Set<String> tried = new LinkedHashSet<>(refused);
		tried.add(version);
		InitializeRequest params = new InitializeRequest(version, this.capabilities, this.options.clientInfo(), null);
		return this.channel
			.request(Call.of(McpSchema.METHOD_INITIALIZE, null, params, (transport, result) -> reader.read(result),
					this.options.initializationTimeout()), this)
			.onErrorResume((refusal) -> reader.other(refusal, tried)
				.flatMap((other) -> initialize(other, tried, reader))
				.doOnNext((server) -> {
					if (refused.isEmpty()) {
						reader.refused(version, refusal);
						this.options.era().noteVersion(server.protocolVersion());
					}
				}));
	}

	@Override
	public <T> Mono<T> request(Call<T> given) {
		Call<T> call = (McpSchema.METHOD_TOOLS_CALL.equals(given.method()) && this.tasks.contains(given.subject()))
				? given.with(Map.of("task",
						Map.of("ttl", Collections.min(List.of(given.options().longest(), LONGEST_TASK)).toMillis())))
				: given;
		if (this.options.requests().isEmpty()) {
			return this.channel.request(call, this);
		}
		return Mono.defer(() -> {
			Call<T> begun = call.begin(this.channel.scheduler());
			return this.channel.request(begun, this).onErrorResume(McpError.class, (failure) -> meet(failure, begun));
		});
	}

	// asks the user for the input that the server needs, and requests again, once
	private <T> Mono<T> meet(McpError failure, Call<T> call) {
		List<ElicitUrlRequest> urls = RequestParams.elicitations(failure.getJsonRpcError(), this.options.definition());
		if (urls == null) {
			return Mono.error(failure);
		}
		return Mono.deferContextual((context) -> this.options.requests().open(urls, context))
			.timeout(call.options().remaining(), Mono.just(false), this.channel.scheduler())
			.flatMap((completed) -> {
				RuntimeException refusal = completed ? call.options().check().beforeSend() : failure;
				return (refusal != null) ? Mono.error(refusal) : this.channel.request(call, this);
			});
	}

	@Override
	public Mono<Void> renew(ServerDescription server) {
		return this.options.replayed().renew(this.session, server, this.listener);
	}

	@Override
	public Mono<Void> ping(Duration timeout) {
		return this.channel
			.request(Call.of(McpSchema.METHOD_PING, null, null, (transport, result) -> true, timeout), this)
			.then()
			.onErrorComplete((failure) -> failure instanceof McpError refusal
					&& !HttpStatusException.saysSessionUnknown(refusal.getJsonRpcError().message()));
	}

	@Override
	public void receive(JSONRPCRequest request, ContextView call) {
		this.incoming.receive(request, call);
	}

	@Override
	public boolean receive(String method, Map<String, Object> params) {
		if ("notifications/cancelled".equals(method)) {
			this.incoming.cancel(params.get("requestId"));
		}
		return true;
	}

	@Override
	public @Nullable String problem(ItemKind<?> kind, Map<String, Object> item) {
		return (kind == ItemKind.TOOLS && !this.runsTasks && TaskSupport.isRequiredBy(item.get("execution")))
				? "it can be run as a task only (execution.taskSupport: required), which the server does not offer"
				: null;
	}

	@Override
	public void listed(ItemKind<?> kind, List<?> items) {
		if (kind == ItemKind.TOOLS) {
			this.tasks = items.stream()
				.map(Tool.class::cast)
				.filter(TaskSupport::isRequired)
				.map(Tool::name)
				.collect(Collectors.toUnmodifiableSet());
		}
	}

	@Override
	public void terminate() {
		this.incoming.terminate();
	}

}
