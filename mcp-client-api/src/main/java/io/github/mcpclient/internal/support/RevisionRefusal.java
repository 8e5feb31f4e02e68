package io.github.mcpclient.internal.support;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * How servers refuse {@code initialize} that speak other revisions of the protocol, or
 * only those from 2026-07-28 on, which have no such request.
 */
public final class RevisionRefusal {

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

	private RevisionRefusal() {
	}

	/**
	 * Returns what the operator can do.
	 * @param setting the revisions that are configured
	 */
	public static String nextStep(String setting) {
		return "It may speak only other revisions of the protocol: "
				+ (setting.equals(ProtocolRevisions.AUTO) ? "" : "set its protocol to auto, or ")
				+ "use a version of it that speaks one from 2024-11-05 to " + ProtocolRevisions.STATELESS + ".";
	}

	/**
	 * Returns whether that may be the meaning of an error.
	 * @param code the code of JSON-RPC, or 0
	 */
	public static boolean isMeant(int code, String text) {
		return CODES.contains(code) || IN_WORDS.matcher(text).find();
	}

}
