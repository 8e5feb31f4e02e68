package io.github.mcpclient.auth.oauth2;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.InetAddressFilter;

/**
 * The addresses to which a server may direct requests: public addresses, private
 * addresses if the server is at a private address, and loopback addresses if the server
 * is on this machine. Link-local addresses, where clouds serve their metadata, are never
 * allowed. The permissions of a server never grow after the first check, as its name may
 * resolve to another address later.
 */
final class AddressPolicy implements InetAddressFilter {

	private static final InetAddressFilter EXTERNAL = InetAddressFilter.externalAddresses();

	// an IPv6 address that contains an IPv4 address could be link-local
	private static final InetAddressFilter PRIVATE = InetAddressFilter.internalAddresses().andNot("64:ff9b::/96");

	private final AtomicReference<@Nullable Origin> origin = new AtomicReference<>();

	boolean isKnown() {
		return this.origin.get() != null;
	}

	/**
	 * Record the addresses of the server.
	 */
	void narrow(Collection<InetAddress> addresses) {
		Set<InetAddress> seenAt = addresses.stream()
			.map(AddressPolicy::unmapped)
			.collect(Collectors.toUnmodifiableSet());
		boolean external = seenAt.isEmpty() || seenAt.stream().anyMatch(EXTERNAL::matches);
		boolean loopback = !external && seenAt.stream().allMatch(InetAddress::isLoopbackAddress);
		this.origin.accumulateAndGet(new Origin(external, loopback, seenAt), (known, seen) -> (known != null)
				? new Origin(known.external || seen.external, known.loopback && seen.loopback, seenAt) : seen);
	}

	@Override
	public boolean matches(InetAddress mapped) {
		InetAddress address = unmapped(mapped);
		Origin origin = this.origin.get();
		if (address.isLinkLocalAddress() || EXTERNAL.matches(address) || origin == null || origin.external) {
			return EXTERNAL.matches(address);
		}
		return address.isLoopbackAddress() ? origin.loopback
				: PRIVATE.matches(address) || origin.addresses.contains(address);
	}

	/**
	 * Return the IPv4 address in an IPv6 address, which Java does not recognize
	 * otherwise.
	 */
	private static InetAddress unmapped(InetAddress address) {
		try {
			return InetAddress.getByAddress(address.getAddress());
		}
		catch (UnknownHostException ex) {
			return address;
		}
	}

	/**
	 * The location of the server.
	 *
	 * @param external whether at a public address, or at an unknown address
	 * @param loopback whether on this machine
	 */
	private record Origin(boolean external, boolean loopback, Set<InetAddress> addresses) {

	}

}
