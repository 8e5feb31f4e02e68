package io.github.mcpclient.declared;

import java.util.Locale;

/**
 * Compares names of tools regardless of case and separators.
 */
final class ToolSpelling {

	private ToolSpelling() {
	}

	/**
	 * Return what all spellings of a name have in common.
	 */
	static String of(String name) {
		StringBuilder common = new StringBuilder(name.length());
		name.chars().filter(Character::isLetterOrDigit).forEach((character) -> common.append((char) character));
		return common.toString().toLowerCase(Locale.ROOT);
	}

}
