package io.github.mcpclient.transport.http;

import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.support.ProtocolRevisions;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * MCP's streamable HTTP without sessions (revision 2026-07-28,
 * {@code basic/transports/streamable-http}): each request is a POST of its own, and so is
 * the one for what the server says unasked. The end of the exchange cancels the request.
 */
final class StatelessProtocol implements HttpProtocol {

	static final StatelessProtocol INSTANCE = new StatelessProtocol();

	private StatelessProtocol() {
	}

	@Override
	public Mono<Void> open() {
		return Mono.empty();
	}

	@Override
	public Mono<Void> send(JSONRPCMessage message, Mono<Void> sent) {
		return sent;
	}

	@Override
	public HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		request.transport().servedStateless();
		return StreamedAnswer.read(request, response, attempt);
	}

	/**
	 * {@inheritDoc} What is not found may be the method.
	 */
	@Override
	public boolean isAnswer(PostedMessage request, HttpError error, JsonNode json, boolean ours) {
		JsonNode id = json.path("id");
		boolean anonymous = id.isMissingNode() || id.isNull();
		return switch (error.status()) {
			case 400, 404, 405, 422, 500, 501 -> ours || anonymous;
			default -> false;
		};
	}

	@Override
	public @Nullable String lost(PostedMessage request, HttpError error, String text) {
		return (request.transport().hasServedStateless() && error.knowsOnlySessions(text))
				? "The server no longer speaks protocol revision " + ProtocolRevisions.STATELESS : null;
	}

	@Override
	public boolean resumes() {
		return false;
	}

	@Override
	public void closeStream(TransportException cause) {
	}

	@Override
	public boolean hasSession() {
		return false;
	}

	@Override
	public String mask(String text) {
		return text;
	}

}
