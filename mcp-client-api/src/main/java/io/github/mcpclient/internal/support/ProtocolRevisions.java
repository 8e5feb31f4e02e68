package io.github.mcpclient.internal.support;

import java.util.List;
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
	 * Returns the dates that a text names, however it spells them, as revisions.
	 */
	public static List<String> namedIn(String text) {
		return DATE.matcher(text.substring(0, Math.min(text.length(), LONGEST_TEXT)))
			.results()
			.map((date) -> date.group(1) + "-" + date.group(3) + "-" + date.group(4))
			.distinct()
			.toList();
	}

	/**
	 * Returns whether a setting allows sessions that begin with {@code initialize}.
	 */
	public static boolean allowsStateful(String setting) {
		return !setting.equals(MODERN) && !setting.equals(STATELESS);
	}

	/**
	 * Returns whether a setting allows to do without.
	 */
	public static boolean allowsStateless(String setting) {
		return !setting.equals(LEGACY) && !STATEFUL.contains(setting);
	}

	/**
	 * Returns whether a setting is known.
	 */
	public static boolean isKnown(String setting) {
		return List.of(AUTO, LEGACY, MODERN).contains(setting) || ALL.contains(setting);
	}

}
