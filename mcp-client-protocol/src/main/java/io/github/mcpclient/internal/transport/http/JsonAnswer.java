package io.github.mcpclient.internal.transport.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.internal.transport.http.HttpContentBuffer.TooLargeException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * The body of an HTTP response that is the JSON-RPC response itself.
 */
final class JsonAnswer implements HttpBody {

	private final PostedMessage request;

	private final HttpSetup setup;

	private final int status;

	private final String contentType;

	private final Disposable attempt;

	private final HttpContentBuffer content;

	JsonAnswer(PostedMessage request, int status, String contentType, Disposable attempt) {
		this.request = request;
		this.setup = request.transport().setup();
		this.status = status;
		this.contentType = contentType;
		this.attempt = attempt;
		this.content = new HttpContentBuffer(Math.min(request.maxAnswerSize(), this.setup.maxMessageSize()),
				this.setup.reader().memory());
	}

	/**
	 * Return the failure of a request whose response has no body.
	 */
	static TransportException withoutBody(int status, HttpFailures failures) {
		if (status == 202) {
			return new HttpStatusException(status, "The server accepted the request (HTTP 202), but sent no response",
					"It must respond to requests with JSON or an event stream: check its log.", true);
		}
		return new HttpStatusException(status, "The server responded without a body (HTTP " + status + ")",
				failures.checkEndpoint(), true);
	}

	@Override
	public void data(ByteBuf chunk) {
		try {
			this.content.append(chunk, chunk.readableBytes());
		}
		catch (TooLargeException | UnreadMessageException ex) {
			this.attempt.dispose();
			boolean ofResult = ex instanceof TooLargeException && this.request.maxAnswerSize() != Integer.MAX_VALUE;
			this.request.fail(ofResult ? this.setup.resultLimit().exceeded() : ex);
		}
	}

	@Override
	public void end(@Nullable Throwable failure) {
		if (failure != null) {
			this.request.fail(failure);
		}
		else if (this.content.length() == 0) {
			this.request.doubt(this.status, "",
					() -> this.request.fail(withoutBody(this.status, this.request.failures())));
		}
		else {
			byte[] content = this.content.toByteArray();
			this.content.clear();
			try {
				if (!this.setup.reader().aside(content.length, () -> receivedLate(content))) {
					received(content);
				}
			}
			catch (UnreadMessageException ex) {
				this.request.fail(ex);
			}
		}
	}

	private void receivedLate(byte[] content) {
		if (this.request.isDone()) {
			return;
		}
		try {
			received(content);
		}
		catch (RuntimeException ex) {
			this.request.fail(this.setup.reader().defect(ex));
		}
	}

	@Override
	public void release() {
		this.content.release();
	}

	private Charset charset() {
		return HttpUtil.getCharset(this.contentType, StandardCharsets.UTF_8);
	}

	private void received(byte[] content) {
		boolean answered = false;
		MessageReader reader = this.setup.reader();
		try (MemoryBudget.Lease lease = reader.memory().lease()) {
			for (JSONRPCMessage message : reader.read(content, 0, content.length, this::charset, this.request.id(),
					lease, this.request.exchange().credentials())) {
				answered |= this.request.receive(message);
			}
		}
		catch (UnreadMessageException ex) {
			this.request.fail(ex);
			return;
		}
		catch (MalformedMessageException ex) {
			this.request.doubt(this.status, HttpFailures.text(content), () -> this.request.malformed(ex));
			return;
		}
		if (answered) {
			this.request.release();
			this.request.succeed();
		}
		else if (!this.request.isInDoubt()) {
			this.request.unanswered(new TransportException("The exchange ended without a response to the request",
					StreamedAnswer.ITS_LOG, null)
				.atStep(McpServerStatus.StepKind.PROTOCOL));
		}
	}

}
