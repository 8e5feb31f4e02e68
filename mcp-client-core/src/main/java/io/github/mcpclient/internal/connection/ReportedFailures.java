package io.github.mcpclient.internal.connection;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import reactor.core.Exceptions;

/**
 * The kinds of failure that were reported, so that a repeated failure does not flood the
 * log. Failures that differ only in numbers such as ports and times, or in quotations of
 * the server or its process, are of the same kind. Not thread-safe.
 */
final class ReportedFailures {

	static final int LIMIT = 10;

	// a word with four digits or more: a time, a port, an address, an ID
	private static final Pattern VARIABLE = Pattern.compile("(?<!\\S)[^\\s\\d]*+(?:\\d[^\\s\\d]*+){4,}+");

	// empty for almost all of thousands of servers
	private Set<String> kinds = Set.of();

	/**
	 * Record a failure, and return whether it is the first of its kind.
	 */
	boolean isNew(Throwable failure, String description) {
		if (this.kinds.isEmpty()) {
			this.kinds = new HashSet<>();
		}
		return this.kinds.size() < LIMIT && this.kinds.add(kind(original(Exceptions.unwrap(failure)), description));
	}

	void forget() {
		this.kinds = Set.of();
	}

	/**
	 * Return the original of a copy for a request that was not sent, since either of them
	 * may be reported first.
	 */
	private static Throwable original(Throwable failure) {
		return (failure.getCause() instanceof TransportException cause
				&& Objects.equals(cause.getMessage(), failure.getMessage())) ? original(cause) : failure;
	}

	private static String kind(Throwable failure, String description) {
		String type = failure.getClass().getName() + " ";
		if (failure instanceof McpError error) {
			return type + error.getJsonRpcError().code();
		}
		if (failure instanceof HttpStatusException answer) {
			type += answer.getStatus() + " ";
		}
		String text = (failure instanceof TransportException exception) ? exception.getSummary()
				: (failure instanceof SessionTimeoutException late) ? late.getRequest() : description;
		return type + VARIABLE.matcher(text).replaceAll("#");
	}

}
