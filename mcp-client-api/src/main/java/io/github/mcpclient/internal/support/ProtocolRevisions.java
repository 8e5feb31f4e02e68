package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.modelcontextprotocol.spec.ProtocolVersions;

/**
 * The protocol versions, and the settings for them.
 */
public final class ProtocolRevisions {

	/** Any version, negotiated with the server. */
	public static final String AUTO = "auto";

	/** The versions of the legacy protocol, with {@code initialize} and sessions. */
	public static final String LEGACY = "legacy";

	/** The versions of the stateless protocol. */
	public static final String MODERN = "modern";

	/** The first version of the stateless protocol. */
	public static final String STATELESS = "2026-07-28";

	/** The versions of the legacy protocol, the oldest first. */
	public static final List<String> STATEFUL = List.of(ProtocolVersions.MCP_2024_11_05,
			ProtocolVersions.MCP_2025_03_26, ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);

	/** All versions, the oldest first. */
	public static final List<String> ALL = Stream.concat(STATEFUL.stream(), Stream.of(STATELESS)).toList();

	private static final Pattern DATE = Pattern.compile("(?<!\\d)(\\d{4})([-/._]?)(\\d\\d)\\2(\\d\\d)(?!\\d)");

	private static final int LONGEST_TEXT = 8192;

	private ProtocolRevisions() {
	}

	/**
	 * Return the dates in a text, in any spelling, as protocol versions.
	 */
	public static List<String> namedIn(String text) {
		return DATE.matcher(text.substring(0, Math.min(text.length(), LONGEST_TEXT)))
			.results()
			.map((date) -> date.group(1) + "-" + date.group(3) + "-" + date.group(4))
			.distinct()
			.toList();
	}

	/**
	 * Return whether a setting allows the legacy protocol.
	 */
	public static boolean allowsStateful(String setting) {
		return !setting.equals(MODERN) && !setting.equals(STATELESS);
	}

	/**
	 * Return whether a setting allows the stateless protocol.
	 */
	public static boolean allowsStateless(String setting) {
		return !setting.equals(LEGACY) && !STATEFUL.contains(setting);
	}

	/**
	 * Return whether a setting is valid.
	 */
	public static boolean isKnown(String setting) {
		return List.of(AUTO, LEGACY, MODERN).contains(setting) || ALL.contains(setting);
	}

	/**
	 * Recognizes how servers that support other protocol versions, or only the stateless
	 * protocol, reject {@code initialize}.
	 */
	public static final class Refusal {

		/** The headers of a request do not match its message. */
		public static final int HEADER_MISMATCH = -32020;

		/** The client lacks a capability that the request needs. */
		public static final int MISSING_CAPABILITY = -32021;

		/** The server does not support the protocol version. */
		public static final int UNSUPPORTED = -32022;

		private static final int INVALID_PARAMS = -32602;

		private static final Set<Integer> CODES = Set.of(INVALID_PARAMS, HEADER_MISMATCH, UNSUPPORTED);

		private static final Pattern IN_WORDS = Pattern
			.compile("protocol[ _-]?(?:version|revision)|unsupported (?:mcp )?version", Pattern.CASE_INSENSITIVE);

		private Refusal() {
		}

		/**
		 * Return the recommended action for operators.
		 * @param setting the configured protocol versions
		 */
		public static String nextStep(String setting) {
			return "The server may support other protocol versions only: "
					+ (setting.equals(ProtocolRevisions.AUTO) ? "" : "set its protocol to auto, or ")
					+ "use a version of the server that supports a protocol version from 2024-11-05 to "
					+ ProtocolRevisions.STATELESS + ".";
		}

		/**
		 * Return whether an error may have this meaning.
		 * @param code the JSON-RPC error code, or 0
		 */
		public static boolean isMeant(int code, String text) {
			return CODES.contains(code) || IN_WORDS.matcher(text).find();
		}

	}

}
