package io.github.mcpclient.internal.transport.http;

import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.ProtocolVersions;
import io.github.mcpclient.internal.transport.HttpStatusException;
import reactor.core.Disposable;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * MCP's streamable HTTP without sessions (MCP 2026-07-28,
 * {@code basic/transports/streamable-http}): each request is a separate POST, including
 * the request for notifications. The end of the exchange cancels the request. The
 * transport fails if a {@link SessionCheck} detects that the server supports only
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
	 * {@inheritDoc} An error such as HTTP 404 may concern the method.
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
	 * Return whether other credentials would not help, since the server may not know the
	 * method, and gets {@code initialize} with the same credentials next.
	 */
	boolean refusesMethod(PostedMessage request, HttpError error) {
		return !this.check.knowsQuestion() && request.is(DISCOVER) && error.mayRefuseMethod()
				&& ProtocolVersions.allowsLegacy(this.transport.setup().definition().protocol());
	}

	@Override
	public SessionCheck check() {
		return this.check;
	}

	/**
	 * {@inheritDoc} The server is available, even if a gateway responds in its place.
	 */
	@Override
	public HttpStatusException refusal(HttpStatusException failure) {
		return (!this.check.knowsQuestion() || failure.getStatus() != 404) ? failure
				: failure.reworded(failure.getSummary(),
						"The server responds to other requests: check any gateway in front of it, or its log.");
	}

	@Override
	public boolean resumes() {
		return false;
	}

}
