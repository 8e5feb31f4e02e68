package io.github.mcpclient.handler;

import java.net.URI;
import java.util.Set;

import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;

/**
 * Strategy interface for handlers that request input from the user on behalf of a server
 * ({@code elicitation/create}). A bean of this type, or a method with
 * {@link McpElicitation @McpElicitation}, handles the requests of the servers that it
 * {@linkplain #supports supports}. If several handlers support a server, the first in
 * {@code @Order} order is used, beans before methods. The client declares the elicitation
 * capability to these servers only.
 *
 * <p>
 * Handlers are called concurrently, on threads that may block, within
 * {@code elicitation.timeout}; a thread that takes longer, or whose request is cancelled,
 * is interrupted. The call that led to the request has its own timeout, which continues
 * to run.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation">Elicitation</a>
 */
@FunctionalInterface
public interface McpElicitationHandler {

	/**
	 * Ask the user. The message, the schema and the URL come from the server: show which
	 * server asks the user, and do not treat the texts as markup. The message is without
	 * control characters, terminal escapes and changes of direction, and at most 4,000
	 * characters long; the message of an {@link ElicitUrlRequest} is one line.
	 * @param request an {@link ElicitFormRequest} or, if {@link #modes()} contains
	 * {@link Mode#URL}, an {@link ElicitUrlRequest}. The URL is absolute, http or https,
	 * in ASCII, without user info and suitable for a browser. It points to the user's own
	 * machine only if the server runs there, too. The client has not contacted it: open
	 * it only with the user's consent, and show the full URL and, separately, its
	 * {@linkplain #host host}
	 * @return the decision of the user. The content of an accepted form is completed with
	 * the defaults of the requested schema, and validated against it; invalid content is
	 * not sent, and the server gets an error
	 * @throws McpError to respond with its code and message; any other exception is
	 * logged, and the server gets an error without details
	 */
	ElicitResult elicit(ElicitRequest request, McpHandlerContext context);

	/**
	 * Return the modes in which this handler can ask the user: only forms, by default.
	 */
	default Set<Mode> modes() {
		return Set.of(Mode.FORM);
	}

	/**
	 * Return the host of a page, to be shown separately, since the remaining URL can be
	 * made to look like another host. An internationalized host has its ASCII form
	 * ({@code xn--...}).
	 */
	static String host(ElicitUrlRequest request) {
		return URI.create(request.url()).getHost();
	}

	/**
	 * Return whether this handler supports a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

	/**
	 * The modes of input by a user.
	 */
	enum Mode {

		/**
		 * With a form, whose content passes through the client.
		 */
		FORM,

		/**
		 * With a page that the user opens in a browser, so that the input does not pass
		 * through the client. Servers may also require it before they execute a call: see
		 * {@link McpUrlElicitationRequiredException}.
		 */
		URL

	}

}
