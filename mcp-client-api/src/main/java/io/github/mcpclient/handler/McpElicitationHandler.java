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
 * Asks the user for what a server needs to know ({@code elicitation/create}). A bean of
 * this type, or a method with {@link McpElicitation @McpElicitation}, serves the servers
 * that it {@linkplain #supports supports}. If several support a server, the first in
 * {@code @Order} order answers, beans before methods. Only these servers learn that the
 * client supports elicitation.
 *
 * <p>
 * Handlers are called concurrently, on threads that may block, within
 * {@code elicitation.timeout}; a thread that takes longer, or whose request is cancelled,
 * is interrupted. The call that led to the request keeps its own timeout.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation">Elicitation</a>
 */
@FunctionalInterface
public interface McpElicitationHandler {

	/**
	 * Ask the user. The message, the schema and the url are the server's: show which
	 * server asks, and do not treat the texts as markup. The message is without control
	 * characters, terminal escapes and changes of direction, and at most 4,000 characters
	 * long; that of an {@link ElicitUrlRequest} is one line.
	 * @param request an {@link ElicitFormRequest} or, if {@link #modes()} has
	 * {@link Mode#URL}, an {@link ElicitUrlRequest}. The url is absolute, http or https,
	 * in ASCII, without user info and fit for a browser; it points to the user's own
	 * machine only if the server runs there, too; and it has not been contacted: open it
	 * only with the user's consent, and show it in full, and its {@linkplain #host host}
	 * by itself
	 * @return what the user decided. The content of an accepted form is completed with
	 * the defaults of the requested schema, and validated against it; an answer that does
	 * not fit is not sent, and the server gets an error
	 * @throws McpError to answer with its code and message; any other exception is
	 * logged, and answered without details
	 */
	ElicitResult elicit(ElicitRequest request, McpHandlerContext context);

	/**
	 * Return how this handler can ask the user: with forms only, by default.
	 */
	default Set<Mode> modes() {
		return Set.of(Mode.FORM);
	}

	/**
	 * Return the host of a page, to be shown by itself: the rest of a url can be made to
	 * look like another host. A host that is internationalized has its ASCII form
	 * ({@code xn--...}).
	 */
	static String host(ElicitUrlRequest request) {
		return URI.create(request.url()).getHost();
	}

	/**
	 * Return whether this handler serves a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

	/**
	 * How a user is asked.
	 */
	enum Mode {

		/**
		 * With a form, whose answer passes the client.
		 */
		FORM,

		/**
		 * With a page that the user opens in a browser, so that the answer does not pass
		 * the client. Servers may also require it before they serve a call: see
		 * {@link McpUrlElicitationRequiredException}.
		 */
		URL

	}

}
