package io.github.mcpclient.support;

import org.jspecify.annotations.Nullable;

/**
 * A transport over a protocol that has versions.
 */
public interface NetworkProtocol {

	/**
	 * Returns the version that the server speaks, such as {@code 1.1} of HTTP, or
	 * {@code null} until its first response.
	 */
	@Nullable String networkProtocolVersion();

}
