package io.github.mcpclient.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * The positions of the entries of each server in a lock file. Nothing else of the file is
 * retained, regardless of its size, and errors in the entries of a server are reported
 * when these are read.
 *
 * @param servers the bytes of each server's object
 */
record PinOutline(Map<String, Part> servers) {

	static final PinOutline EMPTY = new PinOutline(Map.of());

	static final String VERSION = "1";

	// the byte order mark, in UTF-8
	private static final byte[] MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

	// deeper than any definition that is written
	private static final int MAX_LEVELS = 10_000;

	// there are many names, and names within definitions are not parsed
	private static final JsonFactory JSON = JsonFactory.builder()
		.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_LEVELS)
			.maxNameLength(Integer.MAX_VALUE)
			.maxStringLength(Integer.MAX_VALUE)
			.maxNumberLength(Integer.MAX_VALUE)
			.build())
		.build();

	/**
	 * Read a file to its end.
	 * @throws DamagedException if it is not a lock file
	 */
	static PinOutline read(InputStream file) throws IOException {
		PushbackInputStream text = new PushbackInputStream(file, MARK.length);
		byte[] head = text.readNBytes(MARK.length);
		boolean marked = Arrays.equals(head, MARK);
		if (!marked) {
			text.unread(head);
		}
		// one character per byte gives the position; all of JSON except texts is ASCII
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(),
				new InputStreamReader(text, StandardCharsets.ISO_8859_1))) {
			return read(parser, marked ? MARK.length : 0);
		}
		catch (JacksonIOException ex) {
			throw ex.getCause();
		}
		catch (JacksonException ex) {
			throw new DamagedException("it is not valid JSON");
		}
	}

	private static PinOutline read(JsonParser parser, int offset) {
		PinOutline outline = EMPTY;
		boolean version = false;
		Set<String> names = new HashSet<>();
		object(parser.nextToken());
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			unique(name, names.add(name));
			JsonToken value = parser.nextToken();
			if (name.equals("servers")) {
				object(value);
				outline = new PinOutline(servers(parser, offset));
			}
			else if (name.equals("version")) {
				version = value.isNumeric() && parser.getString().equals(VERSION);
			}
			parser.skipChildren();
		}
		if (parser.nextToken() != null) {
			throw new DamagedException("it is not valid JSON");
		}
		if (!version) {
			throw new DamagedException("it does not have \"version\": " + VERSION);
		}
		return outline;
	}

	private static Map<String, Part> servers(JsonParser parser, int offset) {
		Map<String, Part> servers = new TreeMap<>();
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			object(parser.nextToken());
			long start = offset + parser.currentLocation().getCharOffset() - 1;
			parser.skipChildren();
			long end = offset + parser.currentLocation().getCharOffset();
			unique(name, servers.put(name, new Part(start, end)) == null);
			if (!StandardCharsets.US_ASCII.newEncoder().canEncode(name)) {
				throw new DamagedException("no server has a name that is not in ASCII");
			}
		}
		return servers;
	}

	private static void object(JsonToken token) {
		if (token != JsonToken.START_OBJECT) {
			throw new DamagedException("a value that must be an object is not one");
		}
	}

	// a duplicate could hide the other from a reader
	private static void unique(String name, boolean first) {
		if (!first) {
			throw new DamagedException("a name occurs twice");
		}
	}

	/**
	 * A part of the file.
	 */
	record Part(long start, long end) {

		/**
		 * The part of a server without entries.
		 */
		static final Part NONE = new Part(0, 0);

		long size() {
			return this.end - this.start;
		}

	}

	/**
	 * The file, or a part of it, is malformed. The message has the reason, and no
	 * content.
	 */
	static final class DamagedException extends RuntimeException {

		DamagedException(String message) {
			super(message);
		}

	}

}
