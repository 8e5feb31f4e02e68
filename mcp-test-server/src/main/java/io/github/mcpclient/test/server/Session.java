package io.github.mcpclient.test.server;

import java.util.ArrayDeque;
import java.util.Queue;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * A client and its event stream. Messages wait for a stream.
 */
final class Session {

	private final String id;

	private final boolean streamPerRequest;

	private final Queue<Flux<String>> backlog = new ArrayDeque<>();

	private Sinks.@Nullable Many<Flux<String>> stream;

	private volatile boolean stateless;

	/**
	 * Create a session.
	 * @param streamPerRequest whether each response has its own stream
	 */
	Session(String id, boolean streamPerRequest) {
		this.id = id;
		this.streamPerRequest = streamPerRequest;
	}

	String id() {
		return this.id;
	}

	boolean isStreamPerRequest() {
		return this.streamPerRequest;
	}

	/**
	 * Whether the client uses the stateless protocol. If so, this represents its
	 * connection.
	 */
	boolean isStateless() {
		return this.stateless;
	}

	void stateless(boolean stateless) {
		this.stateless = stateless;
	}

	synchronized boolean isListening() {
		return this.stream != null;
	}

	synchronized void push(Flux<String> message) {
		if (this.stream == null || this.stream.tryEmitNext(message).isFailure()) {
			this.backlog.add(message);
		}
	}

	/**
	 * Begin a stream, which replaces the current stream.
	 * @param ended runs when the stream has ended
	 */
	synchronized Flux<Flux<String>> listen(Runnable ended) {
		endStream();
		Sinks.Many<Flux<String>> stream = Sinks.many().unicast().onBackpressureBuffer();
		this.backlog.forEach(stream::tryEmitNext);
		this.backlog.clear();
		this.stream = stream;
		return stream.asFlux().doFinally((signal) -> {
			ended(stream);
			ended.run();
		});
	}

	synchronized void endStream() {
		if (this.stream != null) {
			this.stream.tryEmitComplete();
			this.stream = null;
		}
	}

	private synchronized void ended(Sinks.Many<Flux<String>> stream) {
		if (this.stream == stream) {
			this.stream = null;
		}
	}

}
