package io.github.mcpclient.support;

import java.util.List;
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

	private ProtocolRevisions() {
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
