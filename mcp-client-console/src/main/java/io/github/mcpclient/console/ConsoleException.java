package io.github.mcpclient.console;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * Rejects a request, with a message that has the next step.
 */
final class ConsoleException extends RuntimeException {

	private final HttpStatus status;

	ConsoleException(HttpStatus status, @Nullable String message) {
		super(message, null, false, false);
		this.status = status;
	}

	HttpStatus status() {
		return this.status;
	}

}
