package io.github.mcpclient.config.mcpjson;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
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
 * Reads a JSON file with the place of each value. As in the editors that such files come
 * from, comments and a comma after the last value are allowed; a name that comes twice in
 * one object is not, since one of the two would be lost. What is wrong is worded here,
 * since the messages of the parser quote from the file, which has secrets.
 */
final class JsonFileReader {

	static final String NOT_A_FILE = "It cannot be read. Check that it is a file, and that the application may read it.";

	private static final int MAX_SIZE = 1024 * 1024;

	private static final JsonFactory FACTORY = JsonFactory.builder()
		.enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
		.build();

	private final JsonParser parser;

	private JsonFileReader(JsonParser parser) {
		this.parser = parser;
	}

	static JsonValue read(Resource resource) throws JsonFileException, IOException {
		String text = text(resource);
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
			return new JsonFileReader(parser).read();
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

	private static String text(Resource resource) throws JsonFileException, IOException {
		// a pipe or a device may block, or never end
		if (resource.isFile() && !resource.getFile().isFile()) {
			throw new JsonFileException(NOT_A_FILE);
		}
		try (InputStream content = resource.getInputStream()) {
			byte[] bytes = content.readNBytes(MAX_SIZE + 1);
			if (bytes.length > MAX_SIZE) {
				throw new JsonFileException("It is larger than 1MB, which is not a list of servers.");
			}
			if (bytes.length > 3 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4) {
				throw new JsonFileException(Templates.ARCHIVE);
			}
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			return text.startsWith("\uFEFF") ? text.substring(1) : text;
		}
		catch (CharacterCodingException ex) {
			throw new JsonFileException("It is not in UTF-8.");
		}
	}

	private JsonValue read() throws JsonFileException {
		if (this.parser.nextToken() == null) {
			throw new JsonFileException("It is empty.");
		}
		JsonValue value = value();
		if (this.parser.nextToken() != null) {
			TokenStreamLocation location = this.parser.currentTokenLocation();
			throw new JsonFileException("There is more after the end of the JSON.", location.getLineNr(),
					location.getColumnNr());
		}
		return value;
	}

	private JsonValue value() throws JsonFileException {
		TokenStreamLocation location = this.parser.currentTokenLocation();
		int line = location.getLineNr();
		int column = location.getColumnNr();
		return switch (this.parser.currentToken()) {
			case START_OBJECT -> JsonValue.object(members(), line, column);
			case START_ARRAY -> JsonValue.list(items(), line, column);
			case VALUE_STRING -> JsonValue.scalar(Kind.TEXT, this.parser.getString(), line, column);
			case VALUE_TRUE, VALUE_FALSE -> JsonValue.scalar(Kind.BOOLEAN, this.parser.getString(), line, column);
			case VALUE_NULL -> JsonValue.scalar(Kind.NULL, "", line, column);
			default -> JsonValue.scalar(Kind.NUMBER, this.parser.getString(), line, column);
		};
	}

	private Map<String, JsonValue> members() throws JsonFileException {
		Map<String, JsonValue> members = new LinkedHashMap<>();
		while (this.parser.nextToken() != JsonToken.END_OBJECT) {
			String name = this.parser.currentName();
			TokenStreamLocation location = this.parser.currentTokenLocation();
			this.parser.nextToken();
			if (members.put(name, value()) != null) {
				throw new JsonFileException("The name '" + name + "' comes twice in one object. Remove one of them.",
						location.getLineNr(), location.getColumnNr());
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
			return "A backslash within a text is written twice: \"C:\\\\data\".";
		}
		if (found < ' ') {
			return "A text must end on its line, with a '\"'.";
		}
		if (found == '\'' || Character.isLetterOrDigit(found)) {
			return "This is not JSON: names and texts are in double quotation marks, and commas between values.";
		}
		return "This is not JSON: '" + found + "' is not expected here."
				+ (("\"{[".indexOf(found) != -1) ? " Perhaps a comma is missing before it." : "");
	}

}
