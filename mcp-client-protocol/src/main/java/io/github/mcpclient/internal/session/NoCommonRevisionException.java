package io.github.mcpclient.internal.session;

import java.util.List;

/**
 * The server supports only other protocol versions.
 */
final class NoCommonRevisionException extends SessionProtocolException {

	private final transient List<String> supported;

	NoCommonRevisionException(String message, String nextStep, List<String> supported) {
		super(message, nextStep, null);
		this.supported = supported;
	}

	boolean speaks(String revision) {
		return this.supported.contains(revision);
	}

}
