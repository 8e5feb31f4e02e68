package io.github.mcpclient.spi;

import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpTransportException;
import org.jspecify.annotations.Nullable;

/**
 * A transport could not deliver a message, or died. The message says what happened,
 * without secrets; it does not name the server, which the client adds.
 */
public class TransportException extends McpTransportException {

	private final @Nullable String nextStep;

	private final boolean processed;

	private final String summary;

	private final AtomicReference<McpServerStatus.@Nullable StepKind> step = new AtomicReference<>();

	/**
	 * Create an exception for a request that the server may have acted on.
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 * @param cause the cause, or {@code null}
	 */
	public TransportException(String message, @Nullable String nextStep, @Nullable Throwable cause) {
		this(message, nextStep, true, cause);
	}

	/**
	 * Create an exception.
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 * @param cause the cause, or {@code null}
	 */
	public TransportException(String message, @Nullable String nextStep, boolean processed, @Nullable Throwable cause) {
		this(message, "", nextStep, processed, cause);
	}

	/**
	 * Create an exception that quotes a server or its process.
	 * @param summary what happened, in the client's own words
	 * @param details the quotation that follows the summary, with the separator before it
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 * @param cause the cause, or {@code null}
	 */
	public TransportException(String summary, String details, @Nullable String nextStep, boolean processed,
			@Nullable Throwable cause) {
		super(summary + details, cause);
		this.summary = summary;
		this.nextStep = nextStep;
		this.processed = processed;
	}

	/**
	 * Return what happened, without the quotation of a server or its process, which may
	 * differ each time.
	 * @return the beginning of the message, or all of it
	 */
	public String getSummary() {
		return this.summary;
	}

	/**
	 * Return what the operator can do.
	 * @return a sentence, or {@code null} where nothing is known
	 */
	public @Nullable String getNextStep() {
		return this.nextStep;
	}

	/**
	 * Return whether the server may have acted on the request. A request that it cannot
	 * have seen (no connection) or refused to look at (session unknown) may be repeated.
	 */
	public boolean isPossiblyProcessed() {
		return this.processed;
	}

	/**
	 * Return at which step of a connection this happened.
	 * @return the step, or {@code null} to derive it from the cause
	 */
	public McpServerStatus.@Nullable StepKind getStep() {
		return this.step.get();
	}

	/**
	 * Set at which step of a connection this happened.
	 * @return this exception
	 */
	public TransportException at(McpServerStatus.StepKind step) {
		this.step.set(step);
		return this;
	}

	/**
	 * Return this exception for a request that was not sent.
	 * @return a copy with this one as its cause, which is not
	 * {@linkplain #isPossiblyProcessed() possibly processed}
	 */
	public TransportException notSent() {
		return new TransportException(this.summary, String.valueOf(super.getMessage()).substring(this.summary.length()),
				getNextStep(), false, this);
	}

}
