package io.github.mcpclient;

import java.time.Instant;

/**
 * Something that a server does against the protocol, or differently from how it is
 * commonly done, and that was taken all the same because it can mean only one thing.
 * Immutable. It contains no secrets of the configuration; what it quotes from the server
 * is printable, short, and not to be trusted.
 *
 * @param kind what the server does
 * @param detail what was seen
 * @param count how many times it was seen
 * @param firstSeen when it was seen first
 * @param lastSeen when it was seen last
 * @see McpServerStatus#deviations()
 */
public record McpServerDeviation(Kind kind, String detail, long count, Instant firstSeen, Instant lastSeen) {

	/**
	 * A kind of deviation. Later versions may add kinds.
	 */
	public enum Kind {

		/**
		 * A session that the server does not know any more is refused otherwise than with
		 * HTTP 404 (revision 2025-11-25, {@code basic/transports#session-management}).
		 */
		SESSION_LOST("refuses a session that it has forgotten otherwise than with HTTP 404",
				"A ping showed that the session is lost, and a new one was begun."),

		/**
		 * {@code server/discover} is refused as if credentials were wrong, never
		 * answered, or ends the connection or process, by a server that knows sessions
		 * (revision 2026-07-28, {@code basic/versioning}).
		 */
		DISCOVERY("does not refuse 'server/discover' as a method that it does not know",
				"It was asked with 'initialize' instead."),

		/**
		 * A protocol revision is refused without {@code data.supported}, or spelled in
		 * another way (revision 2025-11-25, {@code basic/lifecycle#version-negotiation}).
		 */
		PROTOCOL_VERSION("refuses or names protocol revisions in a form of its own",
				"Those of its text, or older ones, were tried."),

		/**
		 * {@code notifications/initialized} is refused (revision 2025-11-25,
		 * {@code basic/lifecycle#initialization}).
		 */
		INITIALIZED("refuses 'notifications/initialized'", "The session is used all the same."),

		/**
		 * The capabilities in the answer to {@code initialize} are missing or malformed
		 * (revision 2025-11-25, {@code basic/lifecycle#capability-negotiation}).
		 */
		CAPABILITIES("announces no tools, prompts or resources, or in a form of its own",
				"It was asked for what it has."),

		/**
		 * A list is {@code null} or has another form than in the schema.
		 */
		LISTS("sends a list in another form than the protocol has", "It was read as what it can only mean."),

		/**
		 * The content type of a response is not that of its content (revision 2025-11-25,
		 * {@code basic/transports#sending-messages-to-the-server}).
		 */
		CONTENT_TYPE("labels a response with another content type than it has",
				"The response was read by its content."),

		/**
		 * A response has an id that is not that of the request (JSON-RPC 2.0, section 5).
		 */
		RESPONSE_ID("answers a request with another id",
				"It was taken as the answer, since no other request can be meant."),

		/**
		 * The last event of a stream has no blank line after it (HTML standard, 9.2.6).
		 */
		RESPONSE_END("ends a stream of events without the blank line after the last event", "The event was read."),

		/**
		 * A message is no valid UTF-8 or no valid JSON (RFC 8259).
		 */
		ENCODING("sends messages that are no valid JSON in UTF-8", "What could not be read was replaced."),

		/**
		 * Something else than one message is on a line of stdout (revision 2025-11-25,
		 * {@code basic/transports#stdio}).
		 */
		STDOUT("writes something else to stdout than one message a line",
				"What is a message beyond doubt was taken out."),

		/**
		 * Responses have ids that nobody waits for.
		 */
		UNKNOWN_ID("sends responses with ids that no request has", "They were left out."),

		/**
		 * Requests are redirected (RFC 9110, section 15.4).
		 */
		REDIRECT("redirects requests to another path", "The redirect was followed."),

		/**
		 * The issuer of an authorization server is spelled in two ways (RFC 8414, section
		 * 3.3).
		 */
		ISSUER("spells the issuer of its authorization server in two ways",
				"Both are one origin, and were taken as equal."),

		/**
		 * The url of the metadata in a challenge cannot be used (RFC 9728, section 5.1).
		 */
		RESOURCE_METADATA("names metadata in its challenge that cannot be used",
				"The well-known locations were tried instead."),

		/**
		 * The server does not name its authorization server (RFC 9728, section 3).
		 */
		AUTHORIZATION_SERVER("does not name its authorization server",
				"Its own origin is one, and was used, as revision 2025-03-26 says."),

		/**
		 * The metadata are those of a resource above the url of the server (RFC 9728,
		 * section 3.3).
		 */
		RESOURCE("has metadata of a resource above its url", "Tokens are requested for that resource."),

		/**
		 * The authorization server does not announce PKCE (RFC 8414, section 2).
		 */
		PKCE("has an authorization server that does not announce PKCE",
				"PKCE is used all the same, as it was configured."),

		/**
		 * The response of a token endpoint has another form (RFC 6749, section 5).
		 */
		TOKEN_RESPONSE("has an authorization server whose token responses have another form",
				"They were read as what they can only mean."),

		/**
		 * A refresh token that cannot be used is refused otherwise than with
		 * {@code invalid_grant} (RFC 6749, section 5.2).
		 */
		REFRESH("has an authorization server that refuses a refresh token otherwise than with 'invalid_grant'",
				"The token was given up, and the user has to log in again."),

		/**
		 * The scopes of a token are refused when it is renewed, though they were granted
		 * (RFC 6749, section 6).
		 */
		SCOPES("has an authorization server that refuses the scopes of a token when it is renewed",
				"It was renewed without scopes."),

		/**
		 * How a client authenticates itself is refused when it registers itself or
		 * requests a token, though it was registered or not excluded (RFC 7591, section
		 * 2, and RFC 8414, section 2).
		 */
		REGISTRATION("has an authorization server that contradicts what it says of how clients authenticate themselves",
				"Another way that it does not exclude was used."),

		/**
		 * The schema of a tool's arguments cannot be sent to models.
		 */
		INPUT_SCHEMA("has tools whose input schema models do not take",
				"Models see a simpler one. Arguments are checked against that of the server.");

		private final String summary;

		private final String handling;

		Kind(String summary, String handling) {
			this.summary = summary;
			this.handling = handling;
		}

		/**
		 * Return what the server does: a sentence without its subject and full stop.
		 */
		public String summary() {
			return this.summary;
		}

		/**
		 * Return how the client takes it: sentences.
		 */
		public String handling() {
			return this.handling;
		}

	}

}
