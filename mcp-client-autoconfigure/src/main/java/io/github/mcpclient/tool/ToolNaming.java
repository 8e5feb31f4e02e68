package io.github.mcpclient.tool;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Gives tools the names by which the application knows them: a pure function of
 * configuration and tool, so that a name is the same after any restart or reconnect.
 */
final class ToolNaming {

	/**
	 * The strictest limit among model providers.
	 */
	private static final int MAX_LENGTH = 64;

	private static final int HASH_LENGTH = 8;

	private ToolNaming() {
	}

	static String prefixedName(String prefix, String originalName) {
		String exact = prefix + "_" + originalName;
		String name = replaceOtherCharacters(exact);
		if (name.length() <= MAX_LENGTH) {
			return name;
		}
		return name.substring(0, MAX_LENGTH - HASH_LENGTH - 1) + "_" + hash(exact);
	}

	private static String replaceOtherCharacters(String name) {
		StringBuilder result = new StringBuilder(name.length());
		name.codePoints().forEach((c) -> result.append(isAllowed(c) ? (char) c : '-'));
		return result.toString();
	}

	private static boolean isAllowed(int c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
	}

	private static String hash(String name) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, HASH_LENGTH / 2);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
