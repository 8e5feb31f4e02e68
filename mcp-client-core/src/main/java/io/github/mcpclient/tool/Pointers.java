package io.github.mcpclient.tool;

import java.util.List;
import java.util.stream.Stream;

/**
 * Writes and reads JSON pointers (RFC 6901).
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

	/**
	 * Return the names and indexes that a pointer consists of.
	 */
	static List<String> tokens(String pointer) {
		return pointer.isEmpty() ? List.of()
				: Stream.of(pointer.substring(1).split("/", -1))
					.map((token) -> token.replace("~1", "/").replace("~0", "~"))
					.toList();
	}

}
