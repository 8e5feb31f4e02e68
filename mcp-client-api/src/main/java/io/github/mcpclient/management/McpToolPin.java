package io.github.mcpclient.management;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The comparison of the definition of a tool with the approved one, for a server with
 * {@code tools.pinning}.
 *
 * @param tool the original name of the tool
 * @param state whether the definition is approved
 * @param hash {@code sha256:} and the hash of the listed definition, or {@code null} if
 * it has no hash
 * @param approvedHash the hash of the approved definition, or {@code null} if no
 * definition is approved, or the hash is not known
 * @param changes the differences, at most 50 fields; empty if there is no approved
 * definition to compare with, or only its hash is stored
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
		 * The definition is the approved one.
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
		 * The state is not known: the approved definitions could not be read, or this
		 * definition is nested too deeply.
		 */
		UNKNOWN

	}

	/**
	 * A field that differs. Values come from the server and are untrusted. They are
	 * shortened and masked, characters that are not printable are escaped, and {@code too
	 * large to show} replaces a value of more than 100,000 characters.
	 *
	 * @param field a JSON pointer into the definition, such as {@code /description} or
	 * {@code /inputSchema/properties/path/default}; empty for the whole definition
	 * @param approved the approved value, or {@code null} if the field is missing
	 * @param listed the current value, or {@code null} if the field is missing
	 */
	public record Change(String field, @Nullable String approved, @Nullable String listed) {
	}

}
