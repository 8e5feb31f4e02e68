package io.github.mcpclient.connection;

import java.time.Duration;

import io.github.mcpclient.session.CallOptions;
import io.github.mcpclient.session.McpSession;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The call of a tool.
 */
final class CallOfTool extends Call<CallToolResult> {

	private final ToolCall asked;

	CallOfTool(ToolCall asked, Duration requestTimeout) {
		super((asked.timeout() != null) ? asked.timeout() : requestTimeout);
		this.asked = asked;
	}

	@Override
	String name() {
		return "tools/call " + this.asked.request().name();
	}

	@Override
	Mono<CallToolResult> send(McpSession session, Duration rest) {
		return session.callTool(this.asked.request(), options(rest));
	}

	private CallOptions options(Duration rest) {
		if (maxTimeout() == null) {
			return new CallOptions(rest, null, this.asked.progress());
		}
		Duration timeout = (timeout().compareTo(rest) < 0) ? timeout() : rest;
		return new CallOptions(timeout, rest, this.asked.progress());
	}

	@Override
	@Nullable RuntimeException refusal() {
		return this.asked.check().refusal();
	}

	@Override
	boolean repeatable() {
		return this.asked.repeatable();
	}

	@Override
	Duration spent() {
		return this.asked.spent();
	}

	@Override
	@Nullable Duration maxTimeout() {
		return this.asked.maxTimeout();
	}

}
