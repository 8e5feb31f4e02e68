package io.github.mcpclient.management;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The definition of a tool compared with the approved one, for a server whose definitions
 * are pinned.
 *
 * @param tool the name that the server gives to the tool
 * @param state whether the definition is approved
 * @param hash {@code sha256:} and the hash of the definition as the server lists it, or
 * {@code null} where it has none
 * @param approvedHash that of the approved definition, or {@code null} if there is none
 * or it is not known
 * @param changes what differs, at most 50 fields; empty where there is no approved
 * definition to compare with, or only its hash is kept
 */
public record McpToolPin(String tool, State state, @Nullable String hash, @Nullable String approvedHash,
		List<Change> changes) {

	/**
	 * Create an instance.
	 */
	public McpToolPin {
		changes = List.copyOf(changes);
	}

	/**
	 * Whether a definition is approved.
	 */
	public enum State {

		/**
		 * It is the approved one.
		 */
		APPROVED,

		/**
		 * Another definition of the tool is approved.
		 */
		CHANGED,

		/**
		 * No definition of the tool is approved.
		 */
		NEW,

		/**
		 * It is not known: the approved definitions could not be read, or this one is
		 * nested too deeply.
		 */
		UNKNOWN

	}

	/**
	 * A field that differs. Values come from the server and are not to be trusted. They
	 * are shortened and masked, characters that are not printable are escaped, and
	 * {@code too large to show} stands for a value of more than 100,000 characters.
	 *
	 * @param field a JSON pointer into the definition, such as {@code /description} or
	 * {@code /inputSchema/properties/path/default}; empty for all of it
	 * @param approved the approved value, or {@code null} if there is none
	 * @param listed the value now, or {@code null} if there is none
	 */
	public record Change(String field, @Nullable String approved, @Nullable String listed) {
	}

}
