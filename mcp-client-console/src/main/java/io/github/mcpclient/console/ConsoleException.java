package io.github.mcpclient.console;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * A request that is refused, with a message that says what to do.
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
