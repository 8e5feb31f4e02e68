package io.github.mcpclient.internal.transport.http;

import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.transport.HttpStatusException;
import reactor.core.Disposable;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * MCP's streamable HTTP without sessions (revision 2026-07-28,
 * {@code basic/transports/streamable-http}): each request is a POST of its own, and so is
 * the one for what the server says unasked. The end of the exchange cancels the request.
 * The transport dies where a {@link SessionCheck} finds that the server knows only
 * sessions.
 */
final class StatelessProtocol implements McpHttpProtocol {

	static final String DISCOVER = "server/discover";

	private final HttpTransport transport;

	private final SessionCheck check;

	StatelessProtocol(HttpTransport transport) {
		this.transport = transport;
		this.check = new SessionCheck(transport.setup(), transport, false);
	}

	@Override
	public HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		if (request.is(DISCOVER)) {
			this.check.accepted(request.request(), new MessageHeaders(request.headers(), false));
		}
		return StreamedAnswer.read(request, response, attempt, null);
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

	/**
	 * Return whether other credentials are of no use, since the server may not know the
	 * method, and will be sent {@code initialize} with the same.
	 */
	boolean refusesMethod(PostedMessage request, HttpError error) {
		return !this.check.knowsQuestion() && request.is(DISCOVER) && error.mayRefuseMethod()
				&& ProtocolRevisions.allowsStateful(this.transport.setup().definition().protocol());
	}

	@Override
	public SessionCheck check() {
		return this.check;
	}

	/**
	 * {@inheritDoc} The server is there, whoever answers in its place.
	 */
	@Override
	public HttpStatusException refusal(HttpStatusException failure) {
		return (!this.check.knowsQuestion() || failure.getStatus() != 404) ? failure
				: failure.reworded(failure.getSummary(),
						"The server answers other requests: check any gateway in front of it, or its log.");
	}

	@Override
	public boolean resumes() {
		return false;
	}

}
