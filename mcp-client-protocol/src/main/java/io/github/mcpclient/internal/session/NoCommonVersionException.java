package io.github.mcpclient.internal.session;

import java.util.List;

/**
 * The server supports only other protocol versions.
 */
final class NoCommonVersionException extends SessionProtocolException {

	private final transient List<String> supported;

	NoCommonVersionException(String message, String nextStep, List<String> supported) {
		super(message, nextStep, null);
		this.supported = supported;
	}

	boolean supports(String version) {
		return this.supported.contains(version);
	}

}
