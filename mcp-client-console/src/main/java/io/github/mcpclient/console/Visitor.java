package io.github.mcpclient.console;

import java.net.InetSocketAddress;

import org.jspecify.annotations.Nullable;

/**
 * Who sends a request: a user by name or, if nobody is signed in, an address.
 */
record Visitor(String name, boolean signedIn) {

	static Visitor at(@Nullable InetSocketAddress address) {
		return new Visitor(
				(address != null && address.getAddress() != null) ? address.getAddress().getHostAddress() : "unknown",
				false);
	}

}
