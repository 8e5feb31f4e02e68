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

	// an address of IPv6 that stands for one of IPv4 could be link-local there
	private static final InetAddressFilter PRIVATE = InetAddressFilter.internalAddresses().andNot("64:ff9b::/96");

	private final AtomicReference<@Nullable Origin> origin = new AtomicReference<>();

	boolean isKnown() {
		return this.origin.get() != null;
	}

	/**
	 * Take into account where the server is: at one of the given addresses.
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
	 * Return the IPv4 address in one of IPv6, which is not told from others otherwise.
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
	 * Where the server is.
	 *
	 * @param external whether at a public address, or at an unknown address
	 * @param loopback whether on this machine
	 */
	private record Origin(boolean external, boolean loopback, Set<InetAddress> addresses) {

	}

}
