package io.github.mcpclient.internal.support;

import java.net.URI;
import java.util.regex.Pattern;

/**
 * Recognizes URLs of this machine by their host, without resolving it.
 */
public final class Loopback {

	private static final Pattern HOSTS = Pattern.compile("(.+\\.)?localhost|127(\\.\\d+){3}|\\[::1]",
			Pattern.CASE_INSENSITIVE);

	private Loopback() {
	}

	/**
	 * Return whether a URL refers to this machine.
	 */
	public static boolean is(URI url) {
		return url.getHost() != null && is(url.getHost());
	}

	/**
	 * Return whether the host of a URL is this machine.
	 */
	public static boolean is(String host) {
		return HOSTS.matcher(host).matches();
	}

}
