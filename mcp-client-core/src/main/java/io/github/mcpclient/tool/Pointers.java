package io.github.mcpclient.tool;

/**
 * Writes JSON pointers (RFC 6901).
 */
final class Pointers {

	private Pointers() {
	}

	/**
	 * Return the pointer to a member of the object at another one.
	 */
	static String member(String pointer, String name) {
		return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
	}

}
