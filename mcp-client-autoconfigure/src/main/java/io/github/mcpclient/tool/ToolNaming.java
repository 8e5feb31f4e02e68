package io.github.mcpclient.tool;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.github.mcpclient.McpServerDefinition;

/**
 * Gives tools the names by which the application knows them, unless a bean does: pure
 * functions of configuration and tool, so that a name is the same after any restart or
 * reconnect.
 */
final class ToolNaming {

	/**
	 * The strictest limit among model providers.
	 */
	static final int MAX_LENGTH = 64;

	static final char SEPARATOR = '_';

	private static final int HASH_LENGTH = 8;

	/**
	 * How much of a name stands before its hash, at most.
	 */
	static final int MAX_HEAD = MAX_LENGTH - HASH_LENGTH - 1;

	private ToolNaming() {
	}

	/**
	 * Return what all prefixed names of a server begin with, but for those that are cut
	 * within it.
	 */
	static String head(McpServerDefinition server) {
		String prefix = prefix(server);
		return prefix.isEmpty() ? "" : replaceOtherCharacters(prefix) + SEPARATOR;
	}

	static String prefix(McpServerDefinition server) {
		String prefix = server.tools().prefix();
		return (prefix != null) ? prefix : server.name();
	}

	/**
	 * Name a tool. A name that is too long, or in another script, carries its hash in any
	 * case.
	 */
	static String prefixedName(String prefix, String originalName, boolean hashed) {
		String exact = prefix.isEmpty() ? originalName : prefix + SEPARATOR + originalName;
		String name = replaceOtherCharacters(exact);
		if (!hashed && name.length() <= MAX_LENGTH && isReadable(originalName)) {
			return name;
		}
		return name.substring(0, Math.min(name.length(), MAX_HEAD)) + SEPARATOR + hash(exact);
	}

	/**
	 * Return whether a name holds nothing to be replaced.
	 */
	static boolean isExact(String originalName) {
		return originalName.chars().allMatch(ToolNaming::isAllowed);
	}

	/**
	 * Return whether model providers accept a name.
	 */
	static boolean isPortable(String name) {
		return name.length() <= MAX_LENGTH && isExact(name);
	}

	/**
	 * A name in another script would be nothing but replacements, and the same as any
	 * other of its length.
	 */
	private static boolean isReadable(String originalName) {
		return originalName.chars().anyMatch(ToolNaming::isLetterOrDigit) || isExact(originalName);
	}

	private static String replaceOtherCharacters(String name) {
		StringBuilder result = new StringBuilder(name.length());
		name.codePoints().forEach((c) -> result.append(isAllowed(c) ? (char) c : '-'));
		return result.toString();
	}

	private static boolean isAllowed(int c) {
		return isLetterOrDigit(c) || c == '_' || c == '-';
	}

	private static boolean isLetterOrDigit(int c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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
