package io.github.mcpclient.internal.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.Resource;

/**
 * Reads files that people edit, of at most 1MB. The messages of all failures are
 * sentences about the file, without its content.
 */
public final class SmallFiles {

	private static final int MAX_SIZE = 1024 * 1024;

	private SmallFiles() {
	}

	/**
	 * Read a file.
	 * @param subject the beginning of messages, such as {@code It}
	 * @param purpose the expected content of the file, such as {@code a list of servers}
	 */
	public static byte[] read(Resource file, String subject, String purpose) throws UnreadableFileException {
		try {
			// a pipe or a device may block, or never end
			if (file.isFile() && !file.getFile().isFile()) {
				throw new IOException("not a file");
			}
			try (InputStream content = file.getInputStream()) {
				byte[] bytes = content.readNBytes(MAX_SIZE + 1);
				if (bytes.length > MAX_SIZE) {
					throw new UnreadableFileException(subject + " is larger than 1MB, which is not " + purpose + ".");
				}
				return bytes;
			}
		}
		catch (IOException ex) {
			throw new UnreadableFileException(
					subject + " cannot be read. Check that it is a file, and that the application may read it.");
		}
	}

	/**
	 * Decode the content of a file, without a byte order mark.
	 */
	public static String decode(byte[] content, String subject) throws UnreadableFileException {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
			return text.startsWith("\uFEFF") ? text.substring(1) : text;
		}
		catch (CharacterCodingException ex) {
			throw new UnreadableFileException(subject + " is not in UTF-8.");
		}
	}

	/**
	 * Thrown if a file cannot be read.
	 */
	public static final class UnreadableFileException extends Exception {

		UnreadableFileException(String message) {
			super(message);
		}

	}

}
