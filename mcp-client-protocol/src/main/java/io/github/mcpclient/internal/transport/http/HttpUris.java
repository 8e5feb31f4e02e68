package io.github.mcpclient.internal.transport.http;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * The URLs that servers may point at.
 */
final class HttpUris {

	private HttpUris() {
	}

	/**
	 * Resolve a reference as RFC 3986 defines it, unlike {@link URI#resolve(URI)} for a
	 * reference that is only a query, and, dangerously, for a base without a path: there
	 * {@code evil} would become a part of the host.
	 */
	static @Nullable URI resolve(URI base, String reference) {
		try {
			URI relative = URI.create(reference);
			String path = base.getRawPath();
			URI resolved;
			if (relative.isAbsolute() || relative.getRawAuthority() != null || path == null) {
				resolved = base.resolve(relative);
			}
			else if (relative.getRawPath().isEmpty() && relative.getRawQuery() != null) {
				resolved = base.resolve((path.isEmpty() ? "/" : path) + "?" + relative.getRawQuery());
			}
			else {
				resolved = (path.isEmpty() ? base.resolve("/") : base).resolve(relative);
			}
			String text = resolved.toASCIIString();
			int fragment = text.indexOf('#');
			return URI.create((fragment != -1) ? text.substring(0, fragment) : text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Return whether two URLs have the same scheme, host and port, so that credentials
	 * for one may be sent to the other. User info that only the second one has makes them
	 * different.
	 */
	static boolean isSameOrigin(URI first, URI second) {
		return first.getScheme().equalsIgnoreCase(second.getScheme()) && isSameHost(first, second)
				&& port(first) == port(second);
	}

	/**
	 * Return whether a redirect leads where the credentials may go: within the origin, or
	 * to the same host with TLS, both at the default ports.
	 */
	static boolean mayFollow(URI first, URI second) {
		return isSameOrigin(first, second)
				|| ("http".equalsIgnoreCase(first.getScheme()) && "https".equalsIgnoreCase(second.getScheme())
						&& isSameHost(first, second) && port(first) == 80 && port(second) == 443);
	}

	private static boolean isSameHost(URI first, URI second) {
		return second.getHost() != null && first.getHost().equalsIgnoreCase(second.getHost())
				&& (second.getRawUserInfo() == null || second.getRawUserInfo().equals(first.getRawUserInfo()));
	}

	static boolean isSecure(URI uri) {
		return uri.getScheme().matches("(?i)https|wss");
	}

	/**
	 * Return a URL without user info and query.
	 */
	static String shown(URI uri) {
		return origin(uri) + uri.getRawPath();
	}

	static String origin(URI uri) {
		return uri.getScheme() + "://" + authority(uri);
	}

	static String authority(URI uri) {
		return (uri.getPort() != -1) ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
	}

	private static int port(URI uri) {
		int standard = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
		return (uri.getPort() != -1) ? uri.getPort() : standard;
	}

}
