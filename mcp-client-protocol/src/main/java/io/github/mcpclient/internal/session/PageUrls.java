package io.github.mcpclient.internal.session;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Loopback;

/**
 * Decides which URLs of pages a user may open on behalf of a server. URLs that a browser
 * reads differently from a person are excluded, and so are link-local, wildcard and
 * multicast addresses and, unless the server is on the user's own machine, URLs of that
 * machine. No host is resolved.
 */
final class PageUrls {

	private static final int LONGEST = 2048;

	private static final int HIGHEST_PORT = 65535;

	private static final Set<String> SCHEMES = Set.of("http", "https");

	// of an internationalized host this is the form that cannot deceive
	private static final Pattern ASCII = Pattern.compile("[!-~]+");

	// browsers read 0177.0.0.1 as octal numbers, and 127.1 as an address
	private static final Pattern NUMERIC = Pattern.compile("(?:.*\\.)?(?:\\d+|0x[0-9a-f]*)\\.?",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern ADDRESS = Pattern.compile("(?:(?:0|[1-9]\\d{0,2})(?:\\.(?!$)|$)){4}");

	private PageUrls() {
	}

	static boolean isAcceptable(String url, McpServerDefinition server) {
		if (url.length() > LONGEST || !ASCII.matcher(url).matches()) {
			return false;
		}
		try {
			URI uri = new URI(url);
			return uri.getHost() != null && uri.getScheme() != null
					&& SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT)) && uri.getRawUserInfo() == null
					&& uri.getPort() != 0 && uri.getPort() <= HIGHEST_PORT && isAcceptableHost(uri, isLocal(server));
		}
		catch (URISyntaxException | UnknownHostException ex) {
			return false;
		}
	}

	private static boolean isAcceptableHost(URI uri, boolean local) throws UnknownHostException {
		String host = uri.getHost();
		if (!host.startsWith("[") && !NUMERIC.matcher(host).matches()) {
			return local || !Loopback
				.is(URI.create("http://" + (host.endsWith(".") ? host.substring(0, host.length() - 1) : host)));
		}
		if (host.indexOf('%') != -1 || !(host.startsWith("[") || ADDRESS.matcher(host).matches())) {
			return false;
		}
		InetAddress address = InetAddress.getByName(host);
		return !address.isLinkLocalAddress() && !address.isAnyLocalAddress() && !address.isMulticastAddress()
				&& (local || !address.isLoopbackAddress());
	}

	/**
	 * Return whether the server is on this machine, and may well have its pages there.
	 */
	private static boolean isLocal(McpServerDefinition server) {
		return server.http() == null || Loopback.is(server.http().url());
	}

}
