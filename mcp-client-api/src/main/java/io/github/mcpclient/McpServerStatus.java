package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of one server, as operators see it. It contains no secrets: the
 * target is without credentials, and errors quote neither header nor environment values.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
 *
 * @see McpServer#status()
 * @see McpServerRegistry#servers()
 */
public interface McpServerStatus {

	/**
	 * Return the configured name of the server.
	 */
	String name();

	/**
	 * Return the state at the time of the snapshot.
	 */
	McpServerState state();

	/**
	 * Return the transport type in use, such as {@code stdio} or {@code streamable-http}.
	 * If the type was inferred and the server turned out to support only the older
	 * protocol, it is {@code sse}.
	 */
	String type();

	/**
	 * Return the url without secrets, or the command.
	 */
	String target();

	/**
	 * Return whether the application depends on the server.
	 */
	boolean required();

	/**
	 * Return the name, version, title, icons and website that the server reports, or
	 * {@code null} before the first handshake. Icons and website are urls of the server,
	 * {@code http}, {@code https} or, for icons, {@code data:image/}. Secrets of the
	 * configuration that the server repeats are masked.
	 */
	@Nullable Implementation serverInfo();

	/**
	 * Return the negotiated protocol revision, or {@code null} when not connected.
	 */
	@Nullable String protocolVersion();

	/**
	 * Return how many tools the server is known to have, including those that the
	 * application does not get.
	 */
	int tools();

	/**
	 * Return how many prompts the server is known to have. They are listed once it is
	 * READY.
	 */
	int prompts();

	/**
	 * Return how many resources the server is known to have. They are listed once it is
	 * READY.
	 */
	int resources();

	/**
	 * Return how many resource templates the server is known to have. They are listed
	 * once it is READY.
	 */
	int resourceTemplates();

	/**
	 * Return when the server entered its state.
	 */
	Instant since();

	/**
	 * Return the number of connection attempts since the connection was last lost,
	 * including the one that succeeded.
	 */
	int attempts();

	/**
	 * Return the duration of the latest handshake or keep-alive ping, or {@code null}
	 * before the first.
	 */
	@Nullable Duration latency();

	/**
	 * Return why the latest attempt failed or the connection was lost, or {@code null}
	 * when all is well. During the first start of a server, it says that the server may
	 * still be downloading.
	 */
	@Nullable String lastError();

	/**
	 * Return at which step the latest attempt failed or the connection was lost, or
	 * {@code null} when all is well or the step is not known.
	 */
	@Nullable StepKind failedStep();

	/**
	 * Return the time of the next connection attempt, or {@code null} where none is
	 * planned.
	 */
	@Nullable Instant nextRetry();

	/**
	 * Return the last lines that a child process wrote to its standard error, oldest
	 * first; empty for a server that is no child process.
	 */
	List<String> stderr();

	/**
	 * Return how many users have a connection of their own, where the server demands a
	 * login; 0 for all other servers.
	 */
	int users();

	/**
	 * Return what the server, or its authorization server, was seen to do against the
	 * protocol since the application has this definition of it, and how it was taken, the
	 * oldest first: what to tell its author. A few of each kind; empty for a server that
	 * keeps to the protocol.
	 */
	List<McpServerDeviation> deviations();

	/**
	 * The steps in which a connection is made, and checked by a
	 * {@linkplain io.github.mcpclient.management.McpDiagnosis diagnosis}. Later versions
	 * may add kinds.
	 */
	enum StepKind {

		/**
		 * The definition of the server: it is enabled, and its settings can be used.
		 */
		CONFIGURATION,

		/**
		 * The executable and the working directory of a child process.
		 */
		EXECUTABLE,

		/**
		 * The start of a child process, its exit code, and any output that is not a
		 * message.
		 */
		PROCESS,

		/**
		 * The DNS lookup of the host, or of the proxy if there is one.
		 */
		DNS,

		/**
		 * The network connection.
		 */
		TCP,

		/**
		 * The TLS handshake, and the certificates of the server.
		 */
		TLS,

		/**
		 * The HTTP status.
		 */
		HTTP,

		/**
		 * Whether the server redirects.
		 */
		REDIRECT,

		/**
		 * The content type of the response.
		 */
		CONTENT_TYPE,

		/**
		 * Whether the response is a valid MCP response, and its protocol revision.
		 */
		PROTOCOL,

		/**
		 * What the server publishes about its authorization (RFC 9728, RFC 8414).
		 */
		AUTHORIZATION_METADATA,

		/**
		 * The credentials that are sent, and whether the server accepts them.
		 */
		TOKEN,

		/**
		 * The handshake of MCP: {@code initialize}, or {@code server/discover}.
		 */
		INITIALIZE,

		/**
		 * The list of tools.
		 */
		LISTING

	}

}
