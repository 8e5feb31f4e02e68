package io.github.mcpclient.session;

import java.util.function.Function;
import java.util.function.LongFunction;

import org.jspecify.annotations.Nullable;

/**
 * What is asked of a server, and how its answer is read.
 *
 * @param <T> the type of the result
 * @param method the JSON-RPC method
 * @param subject what the method is about, such as the name of a tool, or {@code null}
 * @param params makes the parameters for a request id
 * @param reader reads the result of a response
 * @param options how long to wait, and who is told of progress
 * @param handshake whether this request opens the session: it is sent before the session
 * is open, and the server is not told when it is given up (the specification forbids to
 * cancel {@code initialize})
 */
record Request<T>(String method, @Nullable String subject, LongFunction<@Nullable Object> params,
		Function<Object, T> reader, CallOptions options, boolean handshake) {

	String name() {
		return (this.subject != null) ? this.method + " " + this.subject : this.method;
	}

}
