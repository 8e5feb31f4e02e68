package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.modelcontextprotocol.spec.ProtocolVersions;

/**
 * The revisions of the protocol, and how settings name them.
 */
public final class ProtocolRevisions {

	/** Whatever the server speaks. */
	public static final String AUTO = "auto";

	/** Those whose sessions begin with {@code initialize}. */
	public static final String LEGACY = "legacy";

	/** Those without a session at the server. */
	public static final String MODERN = "modern";

	/** The first revision without a session at the server. */
	public static final String STATELESS = "2026-07-28";

	/** The revisions whose sessions begin with {@code initialize}, the oldest first. */
	public static final List<String> STATEFUL = List.of(ProtocolVersions.MCP_2024_11_05,
			ProtocolVersions.MCP_2025_03_26, ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);

	/** All revisions, the oldest first. */
	public static final List<String> ALL = Stream.concat(STATEFUL.stream(), Stream.of(STATELESS)).toList();

	private static final Pattern DATE = Pattern.compile("(?<!\\d)(\\d{4})([-/._]?)(\\d\\d)\\2(\\d\\d)(?!\\d)");

	private static final int LONGEST_TEXT = 8192;

	private ProtocolRevisions() {
	}

	/**
	 * Return the dates that a text names, however it spells them, as revisions.
	 */
	public static List<String> namedIn(String text) {
		return DATE.matcher(text.substring(0, Math.min(text.length(), LONGEST_TEXT)))
			.results()
			.map((date) -> date.group(1) + "-" + date.group(3) + "-" + date.group(4))
			.distinct()
			.toList();
	}

	/**
	 * Return whether a setting allows sessions that begin with {@code initialize}.
	 */
	public static boolean allowsStateful(String setting) {
		return !setting.equals(MODERN) && !setting.equals(STATELESS);
	}

	/**
	 * Return whether a setting allows to do without.
	 */
	public static boolean allowsStateless(String setting) {
		return !setting.equals(LEGACY) && !STATEFUL.contains(setting);
	}

	/**
	 * Return whether a setting is known.
	 */
	public static boolean isKnown(String setting) {
		return List.of(AUTO, LEGACY, MODERN).contains(setting) || ALL.contains(setting);
	}

	/**
	 * How servers refuse {@code initialize} that speak other revisions of the protocol,
	 * or only those from 2026-07-28 on, which have no such request.
	 */
	public static final class Refusal {

		/** The headers of a request do not match its message. */
		public static final int HEADER_MISMATCH = -32020;

		/** The client lacks a capability that the request needs. */
		public static final int MISSING_CAPABILITY = -32021;

		/** The revision is not one that the server speaks. */
		public static final int UNSUPPORTED = -32022;

		private static final int INVALID_PARAMS = -32602;

		private static final Set<Integer> CODES = Set.of(INVALID_PARAMS, HEADER_MISMATCH, UNSUPPORTED);

		private static final Pattern IN_WORDS = Pattern
			.compile("protocol[ _-]?(?:version|revision)|unsupported (?:mcp )?version", Pattern.CASE_INSENSITIVE);

		private Refusal() {
		}

		/**
		 * Return what the operator can do.
		 * @param setting the revisions that are configured
		 */
		public static String nextStep(String setting) {
			return "It may speak only other revisions of the protocol: "
					+ (setting.equals(ProtocolRevisions.AUTO) ? "" : "set its protocol to auto, or ")
					+ "use a version of it that speaks one from 2024-11-05 to " + ProtocolRevisions.STATELESS + ".";
		}

		/**
		 * Return whether that may be the meaning of an error.
		 * @param code the code of JSON-RPC, or 0
		 */
		public static boolean isMeant(int code, String text) {
			return CODES.contains(code) || IN_WORDS.matcher(text).find();
		}

	}

}
