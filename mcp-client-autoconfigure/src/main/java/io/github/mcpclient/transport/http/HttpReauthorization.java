package io.github.mcpclient.transport.http;

import java.util.List;
import java.util.function.Consumer;

import io.github.mcpclient.McpAuthorizationChallenge;
import io.github.mcpclient.transport.HeaderSources;
import io.github.mcpclient.transport.RequestHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Asks an authorizer for other headers where a server refuses those of a request, which
 * was not executed then: once after 401, three times in all. For one request.
 */
final class HttpReauthorization {

	private static final int MAX_REPETITIONS = 3;

	private static final int MAX_CHALLENGES = 10;

	private static final int MAX_CHALLENGE_LENGTH = 8192;

	private final HttpTransport transport;

	private final String method;

	private int refusals;

	private boolean unauthorized;

	HttpReauthorization(HttpTransport transport, String method) {
		this.transport = transport;
		this.method = method;
	}

	/**
	 * Ask for other headers, unless the refusal stands anyway.
	 * @param context that of the request
	 * @param current what is pending for the request, which this becomes
	 * @param repeat makes the request again; on any thread, as the other two
	 * @param fail takes the failure to get other headers
	 * @param stand called if there are none
	 * @return whether one of these is called, unless what is pending is disposed of
	 */
	boolean begin(int status, HttpHeaders headers, RequestHeaders refused, ContextView context, Disposable.Swap current,
			Consumer<HttpRequests> repeat, Consumer<Throwable> fail, Runnable stand) {
		boolean repeatable = (status == 401) ? !this.unauthorized : status == 403;
		if (!repeatable || this.refusals == MAX_REPETITIONS
				|| !HeaderSources.isAuthorized(this.transport.setup().definition())) {
			return false;
		}
		this.unauthorized |= status == 401;
		List<String> challenges = headers.getAll(HttpHeaderNames.WWW_AUTHENTICATE)
			.stream()
			.filter((challenge) -> challenge.length() <= MAX_CHALLENGE_LENGTH)
			.limit(MAX_CHALLENGES)
			.toList();
		McpAuthorizationChallenge challenge = new McpAuthorizationChallenge(status, challenges, refused.authorization(),
				++this.refusals);
		Disposable.Swap asking = Disposables.swap();
		if (current.update(asking)) {
			asking.update(this.transport.requests(this.method, refused, challenge)
				.switchIfEmpty(Mono.fromRunnable(stand))
				.contextWrite(context)
				.subscribe(repeat, fail));
		}
		return true;
	}

}
