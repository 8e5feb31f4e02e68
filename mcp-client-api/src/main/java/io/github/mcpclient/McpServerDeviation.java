package io.github.mcpclient;

import java.time.Instant;

/**
 * A deviation of a server from the protocol, or from common practice, that the client
 * tolerates because it has only one possible meaning. Immutable. It contains no secrets
 * of the configuration; its quotations from the server are printable, short, and
 * untrusted.
 *
 * @param kind the kind of deviation
 * @param detail the observed behavior
 * @param count how often it was observed
 * @param firstSeen when it was first observed
 * @param lastSeen when it was last observed
 * @see McpServerStatus#deviations()
 */
public record McpServerDeviation(Kind kind, String detail, long count, Instant firstSeen, Instant lastSeen) {

	/**
	 * A kind of deviation. Later versions may add kinds.
	 */
	public enum Kind {

		/**
		 * The server rejects an unknown session with a status other than HTTP 404
		 * (version 2025-11-25, {@code basic/transports#session-management}).
		 */
		SESSION_LOST("rejects an unknown session with a status other than HTTP 404",
				"The client verified the loss of the session with a ping, and began a new one."),

		/**
		 * A server of the legacy protocol rejects {@code server/discover} as if
		 * credentials were wrong, never responds to it, or ends the connection or process
		 * (version 2026-07-28, {@code basic/versioning}).
		 */
		DISCOVERY("does not reject 'server/discover' as an unknown method", "The client used 'initialize' instead."),

		/**
		 * The server rejects a protocol version without {@code data.supported}, or spells
		 * versions in another form (version 2025-11-25,
		 * {@code basic/lifecycle#version-negotiation}).
		 */
		PROTOCOL_VERSION("rejects or names protocol versions in a nonstandard form",
				"The client tried the versions in the text of the error, or older ones."),

		/**
		 * The server rejects {@code notifications/initialized} (version 2025-11-25,
		 * {@code basic/lifecycle#initialization}).
		 */
		INITIALIZED("rejects 'notifications/initialized'", "The client uses the session nevertheless."),

		/**
		 * The capabilities in the response to {@code initialize} are missing or malformed
		 * (version 2025-11-25, {@code basic/lifecycle#capability-negotiation}).
		 */
		CAPABILITIES("declares its capabilities in a nonstandard form, or not at all",
				"The client listed the tools, prompts and resources of the server nevertheless."),

		/**
		 * A list is {@code null} or does not match the schema.
		 */
		LISTS("sends a list that does not match the schema", "The client read the list in its only possible meaning."),

		/**
		 * The content type of a response does not match its content (version 2025-11-25,
		 * {@code basic/transports#sending-messages-to-the-server}).
		 */
		CONTENT_TYPE("sends a response whose content type does not match its content",
				"The client determined the type from the content."),

		/**
		 * The ID of a response is not the ID of the request (JSON-RPC 2.0, section 5).
		 */
		RESPONSE_ID("sends a response with an ID other than that of the request",
				"The client matched it to the only possible request."),

		/**
		 * The last event of an event stream is not followed by a blank line (HTML
		 * standard, 9.2.6).
		 */
		RESPONSE_END("ends an event stream without the blank line after the last event", "The client read the event."),

		/**
		 * A message is not valid JSON in UTF-8 (RFC 8259).
		 */
		ENCODING("sends messages that are not valid JSON in UTF-8",
				"The client parsed the messages leniently, and replaced invalid content."),

		/**
		 * A line of stdout contains text other than one message (version 2025-11-25,
		 * {@code basic/transports#stdio}).
		 */
		STDOUT("writes text other than one message per line to stdout",
				"The client extracted the messages that it recognized."),

		/**
		 * Responses have IDs that match no pending request.
		 */
		UNKNOWN_ID("sends responses with IDs that match no request", "The client ignored the responses."),

		/**
		 * The server redirects requests (RFC 9110, section 15.4).
		 */
		REDIRECT("redirects requests to another path", "The client followed the redirect."),

		/**
		 * The issuer of an authorization server is spelled in two ways (RFC 8414, section
		 * 3.3).
		 */
		ISSUER("spells the issuer of its authorization server in two ways",
				"Both have the same origin, and the client treated them as equal."),

		/**
		 * The metadata URL in a challenge cannot be used (RFC 9728, section 5.1).
		 */
		RESOURCE_METADATA("has a metadata URL in its challenge that cannot be used",
				"The client tried the well-known locations instead."),

		/**
		 * The server does not name its authorization server (RFC 9728, section 3).
		 */
		AUTHORIZATION_SERVER("does not name its authorization server",
				"The client used the origin of the server, as protocol version 2025-03-26 specifies."),

		/**
		 * The metadata describes a resource above the URL of the server (RFC 9728,
		 * section 3.3).
		 */
		RESOURCE("has metadata that describes a resource above its URL",
				"The client requests tokens for that resource."),

		/**
		 * The authorization server does not announce PKCE (RFC 8414, section 2).
		 */
		PKCE("has an authorization server that does not announce PKCE",
				"The client uses PKCE nevertheless, as configured."),

		/**
		 * The response of a token endpoint does not match the specification (RFC 6749,
		 * section 5).
		 */
		TOKEN_RESPONSE("has an authorization server whose token responses are nonstandard",
				"The client read the responses in their only possible meaning."),

		/**
		 * The authorization server rejects an unusable refresh token with an error other
		 * than {@code invalid_grant} (RFC 6749, section 5.2).
		 */
		REFRESH("has an authorization server that rejects a refresh token with an error other than 'invalid_grant'",
				"The client discarded the token, and the user has to log in again."),

		/**
		 * The authorization server rejects the granted scopes of a token when the token
		 * is renewed (RFC 6749, section 6).
		 */
		SCOPES("has an authorization server that rejects the granted scopes when a token is renewed",
				"The client renewed the token without scopes."),

		/**
		 * The authorization server rejects the authentication method of the client at
		 * registration or at the token endpoint, although the method was registered or
		 * not excluded (RFC 7591, section 2, and RFC 8414, section 2).
		 */
		REGISTRATION("has an authorization server that contradicts its own metadata on client authentication",
				"The client used another method that the metadata does not exclude."),

		/**
		 * The schema of a tool's arguments cannot be sent to models.
		 */
		INPUT_SCHEMA("has tools whose input schema models do not accept",
				"Models see a simplified schema. Arguments are validated against the original schema.");

		private final String summary;

		private final String handling;

		Kind(String summary, String handling) {
			this.summary = summary;
			this.handling = handling;
		}

		/**
		 * Return the deviation: a sentence without its subject and full stop.
		 */
		public String summary() {
			return this.summary;
		}

		/**
		 * Return how the client handles it: one or more sentences.
		 */
		public String handling() {
			return this.handling;
		}

	}

}
