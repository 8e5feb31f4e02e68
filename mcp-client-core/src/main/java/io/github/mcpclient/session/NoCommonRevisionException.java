package io.github.mcpclient.session;

import java.util.List;

/**
 * The server speaks other revisions of the protocol only.
 */
final class NoCommonRevisionException extends SessionProtocolException {

	private final transient List<String> supported;

	NoCommonRevisionException(String message, List<String> supported) {
		super(message, "Use versions of the server and of this client that have a revision in common.", null);
		this.supported = supported;
	}

	boolean speaks(String revision) {
		return this.supported.contains(revision);
	}

}
