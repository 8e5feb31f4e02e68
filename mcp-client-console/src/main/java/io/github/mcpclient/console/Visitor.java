package io.github.mcpclient.console;

import java.net.InetSocketAddress;
import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Who sends a request: a user by name or, if nobody is signed in, an address.
 */
record Visitor(String name, boolean signedIn) implements Principal {

	/**
	 * Return who that is, for audits.
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
