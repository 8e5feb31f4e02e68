package io.github.mcpclient.support;

import java.util.Set;

/**
 * How servers refuse {@code initialize} that speak other revisions of the protocol, or
 * only those from 2026-07-28 on, which have no such request.
 */
public final class RevisionRefusal {

	/**
	 * What the operator can do.
	 */
	public static final String NEXT_STEP = "It may speak only other revisions of the protocol: use a version of it that"
			+ " speaks 2025-11-25 or an older one.";

	private static final int INVALID_PARAMS = -32602;

	// headers that do not match, and an unsupported revision
	private static final Set<Integer> CODES = Set.of(INVALID_PARAMS, -32020, -32022);

	private RevisionRefusal() {
	}

	/**
	 * Returns whether that may be the meaning of an error of JSON-RPC.
	 */
	public static boolean isCode(int code) {
		return CODES.contains(code);
	}

}
