package io.github.mcpclient.spi;

import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpTransportException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a transport could not deliver a message, or has failed. The message describes
 * the failure, without secrets and without the name of the server, which the client adds.
 */
public class TransportException extends McpTransportException {

	private final @Nullable String nextStep;

	private final boolean processed;

	private final String summary;

	private final AtomicReference<McpServerStatus.@Nullable StepKind> step = new AtomicReference<>();

	/**
	 * Create an exception for a request that the server may have acted on.
	 * @param message the failure, a sentence without a full stop at its end
	 * @param nextStep the recommended action for operators, a sentence with a full stop,
	 * or {@code null}
	 * @param cause the cause, or {@code null}
	 */
	public TransportException(String message, @Nullable String nextStep, @Nullable Throwable cause) {
		this(message, nextStep, true, cause);
	}

	/**
	 * Create an exception.
	 * @param message the failure, a sentence without a full stop at its end
	 * @param nextStep the recommended action for operators, a sentence with a full stop,
	 * or {@code null}
	 * @param processed whether the server may have acted on the request
	 * @param cause the cause, or {@code null}
	 */
	public TransportException(String message, @Nullable String nextStep, boolean processed, @Nullable Throwable cause) {
		this(message, "", nextStep, processed, cause);
	}

	/**
	 * Create an exception that quotes a server or its process.
	 * @param summary the failure, in the client's own words
	 * @param details the quotation that follows the summary, with a leading separator
	 * @param nextStep the recommended action for operators, a sentence with a full stop,
	 * or {@code null}
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
	 * Return the description of the failure, without the quotation of a server or its
	 * process, which may differ each time.
	 * @return the beginning of the message, or the whole message
	 */
	public String getSummary() {
		return this.summary;
	}

	/**
	 * Return the recommended action for operators.
	 * @return a sentence, or {@code null} if no action is known
	 */
	public @Nullable String getNextStep() {
		return this.nextStep;
	}

	/**
	 * Return whether the server may have acted on the request. A request that it cannot
	 * have received (no connection), or that it rejected without processing (session
	 * unknown), may be repeated.
	 */
	public boolean isPossiblyProcessed() {
		return this.processed;
	}

	/**
	 * Return the step of the connection at which this happened.
	 * @return the step, or {@code null} to derive it from the cause
	 */
	public McpServerStatus.@Nullable StepKind getStep() {
		return this.step.get();
	}

	/**
	 * Set the step of the connection at which this happened.
	 * @return this exception
	 */
	public TransportException atStep(McpServerStatus.StepKind step) {
		this.step.set(step);
		return this;
	}

	/**
	 * Return this exception for a request that was not sent.
	 * @return a copy with this exception as its cause, which is not
	 * {@linkplain #isPossiblyProcessed() possibly processed}
	 */
	public TransportException notSent() {
		return new TransportException(this.summary, String.valueOf(super.getMessage()).substring(this.summary.length()),
				getNextStep(), false, this);
	}

}
