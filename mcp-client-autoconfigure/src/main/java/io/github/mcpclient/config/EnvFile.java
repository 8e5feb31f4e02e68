package io.github.mcpclient.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

import io.github.mcpclient.internal.support.SmallFiles;
import io.github.mcpclient.internal.support.SmallFiles.UnreadableFileException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.FileSystemResource;

/**
 * A file of environment variables, in the syntax known as dotenv.
 *
 * @param variables the variables, whose values are secret
 * @param error the error in the file, without its content
 */
record EnvFile(Map<String, String> variables, @Nullable String error) {

	static EnvFile read(String location) {
		String subject = "";
		try {
			Path file = Path.of(location).toAbsolutePath().normalize();
			if (!Files.exists(file)) {
				return failed("There is no file " + file + ". Create it, or remove this property.");
			}
			subject = "The file " + file;
			byte[] content = SmallFiles.read(new FileSystemResource(file), subject, "a file of variables");
			return new EnvFile(new EnvFileParser(SmallFiles.decode(content, subject)).parse(), null);
		}
		catch (InvalidPathException ex) {
			return failed("This is not a valid file name.");
		}
		catch (EnvFileParser.SyntaxException ex) {
			return failed(subject + " cannot be read: " + ex.getMessage() + ".");
		}
		catch (UnreadableFileException ex) {
			return failed(ex.getMessage());
		}
	}

	private static EnvFile failed(@Nullable String error) {
		return new EnvFile(Map.of(), error);
	}

	@Override
	public String toString() {
		return "EnvFile" + this.variables.keySet();
	}

}
