package io.github.mcpclient.testsupport;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpTransportException;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A transport as an application might write one: it knows the SDK's interface only, and
 * is the server, too, with one tool.
 */
public final class InMemoryTransport implements McpClientTransport {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final AtomicBoolean broken = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.fromRunnable(() -> this.handler = handler);
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return Mono.defer(() -> {
			if (this.broken.get()) {
				return Mono.error(new McpTransportException("The memory is lost"));
			}
			if (!(message instanceof JSONRPCRequest request)) {
				return Mono.empty();
			}
			return this.handler.apply(Mono.just(JSONRPCResponse.result(request.id(), result(request)))).then();
		});
	}

	private static Object result(JSONRPCRequest request) {
		return switch (request.method()) {
			case "initialize" -> Map.of("protocolVersion", "2025-11-25", "capabilities", Map.of("tools", Map.of()),
					"serverInfo", Map.of("name", "memory", "version", "1"));
			case "tools/list" -> Map.of("tools", List.of(Map.of("name", "hello", "inputSchema",
					Map.of("type", "object"), "annotations", Map.of("readOnlyHint", true))));
			case "tools/call" -> {
				Map<?, ?> params = mapper.convertValue(request.params(), Map.class);
				Map<?, ?> arguments = (Map<?, ?>) params.get("arguments");
				yield Map.of("content",
						List.of(Map.of("type", "text", "text", "memory of " + arguments.get("message"))));
			}
			default -> Map.of();
		};
	}

	/**
	 * Fail all that is sent from now on.
	 */
	public void breakDown() {
		this.broken.set(true);
	}

	public boolean isClosed() {
		return this.closed.get();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.fromRunnable(() -> this.closed.set(true));
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return mapper.convertValue(data, mapper.constructType(type.getType()));
	}

}
