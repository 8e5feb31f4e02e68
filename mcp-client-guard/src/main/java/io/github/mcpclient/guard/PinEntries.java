package io.github.mcpclient.guard;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.guard.PinOutline.DamagedException;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The entries of one server in a lock file.
 */
final class PinEntries {

	private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");

	// a duplicate name could hide the other from a reader
	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	// levels around a definition
	private static final int AROUND = 4;

	private PinEntries() {
	}

	/**
	 * Read entries, one definition at a time.
	 */
	static List<ApprovedTool> read(byte[] text) {
		List<ApprovedTool> tools = new ArrayList<>();
		try (JsonParser parser = MAPPER.createParser(text)) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				parser.nextToken();
				tools.add(tool(name, object(MAPPER.readValue(parser, Object.class))));
			}
		}
		catch (JacksonException ex) {
			throw new DamagedException("they are not valid JSON, a name occurs twice or is too long,"
					+ " or values are nested too deeply");
		}
		return tools;
	}

	private static ApprovedTool tool(String name, Map<String, Object> tool) {
		String hash = String.valueOf(tool.get("hash"));
		if (!HASH.matcher(hash).matches()) {
			throw new DamagedException("tool '" + Printable.text(name) + "' has no hash");
		}
		if (!tool.containsKey("definition")) {
			return new ApprovedTool(name, hash, null);
		}
		// the reviewed definition must be the approved one
		PinnedDefinition definition = new PinnedDefinition(object(tool.get("definition")));
		String reviewed = definition.hash();
		if (!name.equals(definition.fields().get("name")) || !hash.equals(reviewed)) {
			throw new DamagedException("the definition of tool '" + Printable.text(name) + "' "
					+ ((reviewed != null) ? "does not have its hash" : "has too many levels"));
		}
		return new ApprovedTool(name, hash, definition.json());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> object(@Nullable Object value) {
		if (!(value instanceof Map)) {
			throw new DamagedException("a value that must be an object is not one");
		}
		return (Map<String, Object>) value;
	}

	/**
	 * Write entries that can be read again. Definitions without room are written as
	 * hashes.
	 * @param known the existing entries
	 * @param added the entries to add, which replace entries of the same names
	 * @param max the maximum number of bytes
	 * @param room the maximum number of bytes with added definitions
	 */
	static byte[] write(List<ApprovedTool> known, List<ApprovedTool> added, long max, long room) {
		Map<String, ApprovedTool> tools = new TreeMap<>();
		added.forEach((tool) -> tools.put(tool.name(), tool));
		List<ApprovedTool> next = List.copyOf(tools.values());
		Map<String, byte[]> entries = new TreeMap<>();
		long left = max;
		for (ApprovedTool tool : known) {
			if (tools.putIfAbsent(tool.name(), tool) == null) {
				left -= put(tool, entries, left);
			}
		}
		left = Math.min(left, room - entries.values().stream().mapToLong((entry) -> entry.length).sum());
		for (ApprovedTool tool : next) {
			left -= put(tool, entries, left);
		}
		byte[] text = text(entries.values());
		if (text.length > max) {
			throw new DamagedException("there is no room for " + tools.size() + " tools");
		}
		if (!hashes(read(text)).equals(hashes(tools.values()))) {
			throw new DamagedException("they would be read back differently");
		}
		return text;
	}

	private static Map<String, String> hashes(Collection<ApprovedTool> tools) {
		return tools.stream().collect(Collectors.toMap(ApprovedTool::name, ApprovedTool::hash));
	}

	// returns the used part of the room; a definition that does not fit uses it, too, as
	// many of these would take long
	private static int put(ApprovedTool tool, Map<String, byte[]> entries, long room) {
		int max = (int) Math.max(0, Math.min(room, PinnedDefinition.LONGEST_TEXT));
		String definition = (tool.definition() != null && max > 0)
				? CanonicalJson.pretty(PinnedDefinition.of(tool.definition()).fields(), AROUND, max) : null;
		byte[] entry = entry(tool, definition);
		boolean fits = entry.length <= room;
		entries.put(tool.name(), fits ? entry : entry(tool, null));
		return (fits && (definition != null || tool.definition() == null)) ? entry.length : max;
	}

	private static byte[] entry(ApprovedTool tool, @Nullable String definition) {
		String name = CanonicalJson.line(tool.name(), Integer.MAX_VALUE);
		String first = (definition != null) ? "\n        \"definition\": " + definition + "," : "";
		return ("\n      " + name + ": {" + first + "\n        \"hash\": \"" + tool.hash() + "\"\n      }")
			.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] text(Collection<byte[]> entries) {
		ByteArrayOutputStream text = new ByteArrayOutputStream();
		text.write('{');
		String separator = "";
		for (byte[] entry : entries) {
			text.writeBytes(separator.getBytes(StandardCharsets.UTF_8));
			text.writeBytes(entry);
			separator = ",";
		}
		text.writeBytes((entries.isEmpty() ? "}" : "\n    }").getBytes(StandardCharsets.UTF_8));
		return text.toByteArray();
	}

}
