package io.github.mcpclient.sample;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.NoSuchMcpToolException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Maps failed calls to the HTTP statuses of a gateway.
 */
@RestControllerAdvice
class ToolExceptionHandler {

	@ExceptionHandler
	ProblemDetail noSuchTool(NoSuchMcpToolException ex) {
		return problem(HttpStatus.NOT_FOUND, ex);
	}

	@ExceptionHandler
	ProblemDetail serverUnavailable(McpServerUnavailableException ex) {
		return problem(HttpStatus.SERVICE_UNAVAILABLE, ex);
	}

	@ExceptionHandler
	ProblemDetail timeout(McpRequestTimeoutException ex) {
		return problem(HttpStatus.GATEWAY_TIMEOUT, ex);
	}

	// a broken connection, or a JSON-RPC error
	@ExceptionHandler
	ProblemDetail failure(McpException ex) {
		return problem(HttpStatus.BAD_GATEWAY, ex);
	}

	private static ProblemDetail problem(HttpStatus status, Exception ex) {
		return ProblemDetail.forStatusAndDetail(status, ex.getMessage());
	}

}
