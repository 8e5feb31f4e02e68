package io.github.mcpclient.support;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Words urls and commands without their secrets.
 */
public final class Redaction {

	private static final String MASK = "******";

	private static final List<String> SECRET_WORDS = List.of("token", "secret", "password", "passwd", "api-key",
			"apikey", "api_key", "credential", "authorization", "bearer", "auth", "header", "access-key", "access_key",
			"private-key", "private_key", "connection-string");

	private Redaction() {
	}

	public static String url(URI url) {
		if (url.isOpaque() || url.getHost() == null) {
			return url.getScheme() + ":" + MASK;
		}
		StringBuilder text = new StringBuilder(url.getScheme()).append("://").append(url.getHost());
		if (url.getPort() != -1) {
			text.append(':').append(url.getPort());
		}
		text.append((url.getRawPath() != null) ? url.getRawPath() : "");
		if (url.getRawQuery() != null) {
			text.append('?').append(query(url.getRawQuery()));
		}
		return text.toString();
	}

	public static String command(String command, List<String> args) {
		StringJoiner text = new StringJoiner(" ");
		// one that has arguments is a mistake, but no reason to tell secrets
		List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
		words.addAll(args);
		boolean secretFollows = false;
		for (String arg : words) {
			boolean option = arg.startsWith("-");
			text.add((secretFollows && !option) ? MASK : argument(arg));
			secretFollows = option && arg.indexOf('=') == -1 && isSecretName(arg);
		}
		return text.toString();
	}

	private static String argument(String arg) {
		int scheme = arg.indexOf("://");
		if (scheme > 0) {
			int start = arg.lastIndexOf('=', scheme) + 1;
			try {
				return arg.substring(0, start) + url(URI.create(arg.substring(start)));
			}
			catch (IllegalArgumentException ex) {
				return MASK;
			}
		}
		int equals = arg.indexOf('=');
		if (equals > 0 && isSecretName(arg.substring(0, equals))) {
			return arg.substring(0, equals + 1) + MASK;
		}
		return arg;
	}

	private static String query(String query) {
		StringJoiner text = new StringJoiner("&");
		for (String parameter : query.split("&", -1)) {
			int equals = parameter.indexOf('=');
			// a parameter without a name is all value
			text.add((equals == -1) ? MASK : parameter.substring(0, equals + 1) + MASK);
		}
		return text.toString();
	}

	private static boolean isSecretName(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return SECRET_WORDS.stream().anyMatch(lower::contains) || lower.equals("-h");
	}

}
