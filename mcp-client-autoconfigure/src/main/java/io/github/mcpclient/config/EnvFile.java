package io.github.mcpclient.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A file of environment variables, in the syntax known as dotenv.
 */
final class EnvFile {

	private static final int MAX_SIZE = 1024 * 1024;

	private final Map<String, String> variables;

	private final @Nullable String mistake;

	private EnvFile(Map<String, String> variables, @Nullable String mistake) {
		this.variables = variables;
		this.mistake = mistake;
	}

	static EnvFile read(String location) {
		try {
			Path file = Path.of(location).toAbsolutePath().normalize();
			if (!Files.exists(file)) {
				return mistake("There is no file " + file + ". Create it, or remove this property.");
			}
			// a pipe or a device may block, or never end
			return Files.isRegularFile(file) ? read(file) : mistake(file + " is not a file.");
		}
		catch (InvalidPathException ex) {
			return mistake("This is not the name of a file.");
		}
	}

	private static EnvFile read(Path file) {
		try (InputStream content = Files.newInputStream(file)) {
			byte[] bytes = content.readNBytes(MAX_SIZE + 1);
			if (bytes.length > MAX_SIZE) {
				return mistake("The file " + file + " is larger than 1MB, which is not a file of variables.");
			}
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			return new EnvFile(new EnvFileParser(text).parse(), null);
		}
		catch (EnvFileParser.SyntaxException ex) {
			return mistake("The file " + file + " cannot be read: " + ex.getMessage() + ".");
		}
		catch (CharacterCodingException ex) {
			return mistake("The file " + file + " is not in UTF-8.");
		}
		catch (IOException ex) {
			return mistake("The file " + file + " cannot be read. Check that the application may read it.");
		}
	}

	private static EnvFile mistake(String mistake) {
		return new EnvFile(Map.of(), mistake);
	}

	/**
	 * Return the variables, whose values are secret.
	 */
	Map<String, String> variables() {
		return this.variables;
	}

	/**
	 * Return what is wrong with the file, without anything of its content.
	 * @return a message, or {@code null} if nothing is wrong
	 */
	@Nullable String mistake() {
		return this.mistake;
	}

}
