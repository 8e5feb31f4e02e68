package io.github.mcpclient.console;

import java.net.InetSocketAddress;
import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * The sender of a request: a user by name or, without a signed-in user, an address.
 */
record Visitor(String name, boolean signedIn) implements Principal {

	/**
	 * Return the name for audits.
	 */
	@Override
	public String getName() {
		return this.signedIn ? this.name : "somebody at " + this.name;
	}

	static Visitor at(@Nullable InetSocketAddress address) {
		return new Visitor(
				(address != null && address.getAddress() != null) ? address.getAddress().getHostAddress() : "unknown",
				false);
	}

}
