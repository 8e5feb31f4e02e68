package io.github.mcpclient.guard;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;

import io.github.mcpclient.guard.CanonicalJson.TooDeepException;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.management.McpToolPin.Change;
import io.github.mcpclient.management.McpToolPin.State;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * All fields of a tool, by their names in the protocol.
 */
record PinnedDefinition(Map<String, Object> fields) {

	/**
	 * The longest text of a definition that is stored. Of a larger one, only the hash is.
	 */
	static final int LONGEST_TEXT = 500_000;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	static PinnedDefinition of(Tool tool) {
		Map<String, Object> fields = new LinkedHashMap<>();
		put(fields, "name", tool.name());
		put(fields, "title", tool.title());
		put(fields, "description", tool.description());
		put(fields, "inputSchema", tool.inputSchema());
		put(fields, "outputSchema", tool.outputSchema());
		put(fields, "annotations", MAPPER.convertValue(tool.annotations(), Object.class));
		put(fields, "icons", MAPPER.convertValue(tool.icons(), Object.class));
		put(fields, "_meta", tool.meta());
		return new PinnedDefinition(fields);
	}

	static PinnedDefinition of(String json) {
		@SuppressWarnings("unchecked")
		Map<String, Object> fields = MAPPER.readValue(json, Map.class);
		return new PinnedDefinition(fields);
	}

	private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
		if (value != null) {
			fields.put(name, value);
		}
	}

	/**
	 * Return all fields as canonical JSON, or {@code null} if that is too large.
	 */
	@Nullable String json() {
		return CanonicalJson.write(this.fields, LONGEST_TEXT);
	}

	/**
	 * Return the hash of all fields, or {@code null} if they are nested too deeply.
	 */
	@Nullable String hash() {
		try {
			return "sha256:" + HexFormat.of().formatHex(CanonicalJson.hash(this.fields));
		}
		catch (TooDeepException ex) {
			return null;
		}
	}

	/**
	 * Compare the definition of a tool with the approved one, if present.
	 * @param masking masks secrets
	 */
	static McpToolPin compare(Tool tool, @Nullable ApprovedTool approved, UnaryOperator<String> masking) {
		if (Thread.currentThread().isInterrupted()) {
			throw new CancellationException("It took too long");
		}
		String approvedHash = (approved != null) ? approved.hash() : null;
		PinnedDefinition definition = of(tool);
		String hash = definition.hash();
		if (hash == null) {
			return new McpToolPin(tool.name(), State.UNKNOWN, null, approvedHash, List.of());
		}
		if (approved == null || hash.equals(approvedHash)) {
			return new McpToolPin(tool.name(), (approved != null) ? State.APPROVED : State.NEW, hash, approvedHash,
					List.of());
		}
		return new McpToolPin(tool.name(), State.CHANGED, hash, approvedHash,
				definition.changesSince(approved.definition(), masking));
	}

	private List<Change> changesSince(@Nullable String approved, UnaryOperator<String> masking) {
		if (approved == null) {
			return (json() != null) ? List.of()
					: List.of(new Change("", "only its hash is stored", DefinitionChanges.TOO_LARGE));
		}
		try {
			return changesSince(of(approved), masking);
		}
		catch (JacksonException | TooDeepException ex) {
			// the store of the application returned it: the hash differs in any case
			return List.of();
		}
	}

	/**
	 * Return the differences from the approved definition.
	 * @param masking masks secrets
	 */
	List<Change> changesSince(PinnedDefinition approved, UnaryOperator<String> masking) {
		return DefinitionChanges.between(approved.fields(), this.fields, masking);
	}

}
