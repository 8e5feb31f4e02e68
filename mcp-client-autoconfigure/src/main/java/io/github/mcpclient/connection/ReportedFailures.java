package io.github.mcpclient.connection;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpError;
import reactor.core.Exceptions;

/**
 * The kinds of failure that were reported, so that one that repeats itself does not flood
 * the log. Two failures are of one kind though their texts differ in what differs each
 * time: numbers such as ports and times, and what a server or its process says of its own
 * trouble. For one thread.
 */
final class ReportedFailures {

	/**
	 * A server that fails in ever new ways has failed in enough of them.
	 */
	static final int LIMIT = 10;

	/**
	 * A word with four digits or more: a time, a port, an address, an id. Exit codes and
	 * the like have fewer.
	 */
	private static final Pattern VARIABLE = Pattern.compile("(?<!\\S)[^\\s\\d]*+(?:\\d[^\\s\\d]*+){4,}+");

	private final Set<String> kinds = new HashSet<>();

	/**
	 * Note a failure, and return whether it is the first one of its kind.
	 */
	boolean isNew(Throwable failure, String description) {
		return this.kinds.size() < LIMIT && this.kinds.add(kind(Exceptions.unwrap(failure), description));
	}

	void forget() {
		this.kinds.clear();
	}

	private static String kind(Throwable failure, String description) {
		String type = failure.getClass().getName() + " ";
		if (failure instanceof McpError error) {
			return type + error.getJsonRpcError().code();
		}
		if (failure instanceof HttpStatusException answer) {
			type += answer.getStatus() + " ";
		}
		String text = (failure instanceof TransportException exception) ? exception.getSummary() : description;
		return type + VARIABLE.matcher(text).replaceAll("#");
	}

}
