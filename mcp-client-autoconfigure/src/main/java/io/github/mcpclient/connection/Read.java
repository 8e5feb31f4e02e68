package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.BiFunction;

import io.github.mcpclient.session.CallOptions;
import io.github.mcpclient.session.McpSession;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A call that changes nothing at the server, so that it can be repeated.
 *
 * @param <T> the type of the result
 */
final class Read<T> extends Call<T> {

	private final String name;

	private final BiFunction<McpSession, CallOptions, Mono<T>> request;

	private final CallCheck check;

	Read(String name, Duration timeout, CallCheck check, BiFunction<McpSession, CallOptions, Mono<T>> request) {
		super(timeout);
		this.name = name;
		this.request = request;
		this.check = check;
	}

	@Override
	String name() {
		return this.name;
	}

	@Override
	Mono<T> send(McpSession session, Duration rest) {
		return this.request.apply(session, CallOptions.of(rest));
	}

	@Override
	@Nullable RuntimeException refusal() {
		return this.check.refusal();
	}

}
