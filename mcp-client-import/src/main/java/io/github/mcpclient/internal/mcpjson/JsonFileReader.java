package io.github.mcpclient.internal.mcpjson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.SmallFiles;
import io.github.mcpclient.internal.support.SmallFiles.UnreadableFileException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

import org.springframework.core.io.Resource;

/**
 * Reads a JSON file with the position of each value. Comments and a trailing comma are
 * allowed, as in the editors of such files; the last one of duplicate names is used. The
 * messages of the parser are not used, since they quote from the file, which has secrets.
 */
record JsonFileReader(JsonParser parser, Consumer<String> warnings) {

	private static final int LONGEST_NAME = 128;

	private static final String SUBJECT = "It";

	private static final JsonFactory FACTORY = JsonFactory.builder()
		.enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
		.build();

	static JsonValue read(Resource resource, Consumer<String> warnings) throws JsonFileException {
		String text = text(resource);
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
			return new JsonFileReader(parser, warnings).read();
		}
		catch (JacksonException ex) {
			TokenStreamLocation location = ex.getLocation();
			if (ex instanceof StreamConstraintsException || location == null) {
				throw new JsonFileException("It is nested too deeply, or has a number that is too long.");
			}
			throw new JsonFileException(reason(text, (int) location.getCharOffset()), location.getLineNr(),
					location.getColumnNr());
		}
	}

	private static String text(Resource resource) throws JsonFileException {
		try {
			byte[] bytes = SmallFiles.read(resource, SUBJECT, "a list of servers");
			if (bytes.length > 3 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4) {
				throw new JsonFileException("It is an MCP bundle (a .mcpb or .dxt archive), which has no list of "
						+ "servers. Unpack it, and configure a server with its command.");
			}
			return SmallFiles.decode(bytes, SUBJECT);
		}
		catch (UnreadableFileException ex) {
			throw new JsonFileException(String.valueOf(ex.getMessage()));
		}
	}

	private JsonValue read() throws JsonFileException {
		if (this.parser.nextToken() == null) {
			throw new JsonFileException("It is empty.");
		}
		JsonValue value = value();
		if (this.parser.nextToken() != null) {
			TokenStreamLocation location = this.parser.currentTokenLocation();
			throw new JsonFileException("There is text after the end of the JSON.", location.getLineNr(),
					location.getColumnNr());
		}
		return value;
	}

	private JsonValue value() throws JsonFileException {
		TokenStreamLocation location = this.parser.currentTokenLocation();
		JsonToken token = this.parser.currentToken();
		Map<String, JsonValue> members = (token == JsonToken.START_OBJECT) ? members() : Map.of();
		List<JsonValue> items = (token == JsonToken.START_ARRAY) ? items() : List.of();
		String text = (token.isScalarValue() && token != JsonToken.VALUE_NULL) ? this.parser.getString() : "";
		return new JsonValue(kind(token), text, members, items, location.getLineNr(), location.getColumnNr());
	}

	private static Kind kind(JsonToken token) {
		return switch (token) {
			case START_OBJECT -> Kind.OBJECT;
			case START_ARRAY -> Kind.LIST;
			case VALUE_STRING -> Kind.TEXT;
			case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
			case VALUE_NULL -> Kind.NULL;
			default -> Kind.NUMBER;
		};
	}

	private Map<String, JsonValue> members() throws JsonFileException {
		Map<String, JsonValue> members = new LinkedHashMap<>();
		while (this.parser.nextToken() != JsonToken.END_OBJECT) {
			String name = this.parser.currentName();
			TokenStreamLocation location = this.parser.currentTokenLocation();
			this.parser.nextToken();
			if (members.put(name, value()) != null) {
				this.warnings
					.accept("line " + location.getLineNr() + ": The name '" + Printable.line(name, LONGEST_NAME)
							+ "' occurs twice in one object. The last one is used. Remove one of them.");
			}
		}
		return members;
	}

	private List<JsonValue> items() throws JsonFileException {
		List<JsonValue> items = new ArrayList<>();
		while (this.parser.nextToken() != JsonToken.END_ARRAY) {
			items.add(value());
		}
		return items;
	}

	private static String reason(String text, int offset) {
		if (offset >= text.length()) {
			return "It ends too early: a '}', a ']' or a '\"' is missing.";
		}
		char found = text.charAt(offset);
		if (offset > 0 && text.charAt(offset - 1) == '\\') {
			return "A backslash within a string is written twice: \"C:\\\\data\".";
		}
		if (found < ' ') {
			return "A string must end on the line it begins on, with a '\"'.";
		}
		if (found == '\'' || Character.isLetterOrDigit(found)) {
			return "This is not JSON: names and strings are in double quotation marks, and commas between values.";
		}
		return "This is not JSON: '" + found + "' is not expected here."
				+ (("\"{[".indexOf(found) != -1) ? " Perhaps a comma is missing before it." : "");
	}

}
