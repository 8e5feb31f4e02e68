package io.github.mcpclient.internal.transport.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HeaderSources.CallerAuthorizationException;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Requests other headers from an authorizer if a server refuses the headers of a request,
 * which was not executed then: once after 401, three times in total. For one request.
 */
final class HttpReauthorization {

	private static final int MAX_REPETITIONS = 3;

	private static final int MAX_CHALLENGES = 10;

	private static final int MAX_CHALLENGE_LENGTH = 8192;

	private final HttpSetup setup;

	private final HeaderSources sources;

	private final String method;

	private int refusals;

	private boolean unauthorized;

	HttpReauthorization(HttpSetup setup, HeaderSources sources, String method) {
		this.setup = setup;
		this.sources = sources;
		this.method = method;
	}

	/**
	 * Request other headers, in the context of the request.
	 * @param source the address from which the refusal came, or {@code null} if it is
	 * unknown
	 * @return the headers, validated and possibly empty; {@code null} if the refusal is
	 * final
	 */
	@Nullable Mono<RequestHeaders> other(int status, HttpHeaders headers, @Nullable SocketAddress source, RequestHeaders refused,
			ContextView context) {
		McpServerDefinition definition = this.setup.definition();
		boolean repeatable = (status == 401) ? !this.unauthorized : status == 403;
		if (!repeatable || this.refusals == MAX_REPETITIONS || !HeaderSources.isAuthorized(definition)) {
			return null;
		}
		this.unauthorized |= status == 401;
		List<String> challenges = headers.getAll(HttpHeaderNames.WWW_AUTHENTICATE)
			.stream()
			.filter((challenge) -> challenge.length() <= MAX_CHALLENGE_LENGTH)
			.limit(MAX_CHALLENGES)
			.toList();
		InetAddress address = (source instanceof InetSocketAddress socket
				&& !this.setup.pool().client().configuration().hasProxy()) ? socket.getAddress() : null;
		boolean ofCaller = this.sources.isOfCaller(definition, context);
		Mono<RequestHeaders> other = this.sources.reauthorize(new McpHeadersRequest(definition, this.method, ofCaller),
				refused,
				new McpAuthorizationChallenge(status, challenges, refused.authorization(), ++this.refusals, address));
		// the timeout of the call limits the time of a caller
		return (ofCaller ? other.onErrorMap(CallerAuthorizationException::new).doOnNext(HttpSetup::check)
				: this.setup.validated(other))
			.contextWrite(context);
	}

}
