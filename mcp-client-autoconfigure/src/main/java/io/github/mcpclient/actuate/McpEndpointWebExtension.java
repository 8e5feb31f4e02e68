package io.github.mcpclient.actuate;

import java.security.Principal;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.NoSuchMcpServerException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for {@link McpEndpoint} that gives a
 * refused request its HTTP status and a body with the reason.
 */
@EndpointWebExtension(endpoint = McpEndpoint.class)
@RegisterReflectionForBinding(McpEndpointWebExtension.ProblemDescriptor.class)
public class McpEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private final McpEndpoint delegate;

	/**
	 * Create an extension.
	 * @param delegate the endpoint to extend
	 */
	public McpEndpointWebExtension(McpEndpoint delegate) {
		this.delegate = delegate;
	}

	/**
	 * Return the state of a server and what it has.
	 * @param server the name of the server
	 * @return 200 with the server, or 404
	 */
	@ReadOperation
	public WebEndpointResponse<Object> server(@Selector String server) {
		try {
			return new WebEndpointResponse<>(this.delegate.requiredServer(server));
		}
		catch (NoSuchMcpServerException ex) {
			return problem(ex, WebEndpointResponse.STATUS_NOT_FOUND);
		}
	}

	/**
	 * Check a server.
	 * @param server the name of the server
	 * @param detail {@code diagnosis}
	 * @return 200 with what was found, or 404
	 */
	@ReadOperation
	public WebEndpointResponse<Object> detail(@Selector String server, @Selector String detail) {
		try {
			this.delegate.requiredServer(server);
			Object found = this.delegate.detail(server, detail);
			return (found != null) ? new WebEndpointResponse<>(found)
					: problem(new IllegalArgumentException("Of a server, there is only 'diagnosis' to read"),
							WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (NoSuchMcpServerException ex) {
			return problem(ex, WebEndpointResponse.STATUS_NOT_FOUND);
		}
	}

	/**
	 * Reconnect, refresh, enable or disable a server, or approve one of its tools.
	 * @param user who is signed in, for audits
	 * @param server the name of the server
	 * @param action {@code reconnect}, {@code refresh}, {@code enable}, {@code disable}
	 * or {@code approve}
	 * @param tool the name of the tool to approve
	 * @param hash of the definition to approve
	 * @return 200 with the server after the action, 404 for an unknown server, 400 for an
	 * unknown action, or 409 for a tool that the server does not list so now, or a
	 * definition that is not valid
	 */
	@WriteOperation
	public WebEndpointResponse<Object> act(SecurityContext user, @Selector String server, @Nullable String action,
			@Nullable String tool, @Nullable String hash) {
		return answer(user, this.delegate.act(server, action, tool, hash));
	}

	/**
	 * Reload the configuration of the servers.
	 * @param user who is signed in, for audits
	 * @param action {@code reload}
	 * @return 200 with what has changed, or with why nothing has; 400 for another action,
	 * or 409 if the client is disabled or cannot be reloaded
	 */
	@WriteOperation
	public WebEndpointResponse<Object> reload(SecurityContext user, @Nullable String action) {
		return answer(user, this.delegate.reload(action));
	}

	private static WebEndpointResponse<Object> answer(SecurityContext user, Mono<?> action) {
		// the status must be known before the action ends: not every web stack takes it
		// from a publisher. An error in the request is known at once
		CompletableFuture<?> done = action
			.contextWrite((context) -> context.putNonNull(Principal.class, user.getPrincipal()))
			.toFuture();
		Throwable error = done.isDone() ? done.handle((answer, failure) -> failure).join() : null;
		if (error instanceof NoSuchMcpServerException) {
			return problem(error, WebEndpointResponse.STATUS_NOT_FOUND);
		}
		if (error instanceof InvalidEndpointRequestException) {
			return problem(error, WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		return (error instanceof IllegalArgumentException || error instanceof IllegalStateException)
				? problem(error, STATUS_CONFLICT) : new WebEndpointResponse<>(Mono.fromFuture(done, true));
	}

	private static WebEndpointResponse<Object> problem(Throwable cause, int status) {
		return new WebEndpointResponse<>(new ProblemDescriptor(cause.getMessage()), status);
	}

	/**
	 * Why a request was refused.
	 */
	public record ProblemDescriptor(@Nullable String error) implements OperationResponseBody {
	}

}
