package io.github.mcpclient.guard;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.guard.PinOutline.DamagedException;
import io.github.mcpclient.guard.PinOutline.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.util.StreamUtils;

/**
 * The content of a lock file at one time; the entries of a server are read again when
 * needed.
 *
 * @param text all of it if it is not a file, or {@code null}
 * @param damage why none of it can be used, or {@code null}
 */
record PinContent(Resource file, Stamp stamp, byte @Nullable [] text, PinOutline outline, @Nullable String damage) {

	/**
	 * Read the whole file, without retaining its content.
	 * @param max the largest size
	 */
	static PinContent of(Resource file, Stamp stamp, int max) throws IOException {
		if (stamp.size() > max) {
			throw tooLarge("it", stamp.size(), max);
		}
		byte[] text = null;
		try (InputStream stream = file.getInputStream()) {
			if (stamp == Stamp.NONE) {
				text = stream.readNBytes(max + 1);
				if (text.length > max) {
					throw tooLarge("it", text.length, max);
				}
			}
			return new PinContent(file, stamp, text,
					PinOutline.read((text != null) ? new ByteArrayInputStream(text) : stream), null);
		}
		catch (DamagedException ex) {
			return new PinContent(file, stamp, null, PinOutline.EMPTY, String.valueOf(ex.getMessage()));
		}
	}

	private static IOException tooLarge(String what, long size, int max) {
		return new IOException(what + " has " + size + " bytes, and the limit with a heap of this size is " + max
				+ ". Give the JVM more memory, or remove unneeded entries");
	}

	static PinContent none(Resource file, Stamp stamp) {
		return new PinContent(file, stamp, null, PinOutline.EMPTY, null);
	}

	/**
	 * Whether the file has not been replaced.
	 */
	boolean isCurrent() throws IOException {
		return this.stamp.equals(Stamp.of(this.file));
	}

	/**
	 * Return the text of the entries of a server, or {@code null} if it has no entries.
	 * @param max the largest size
	 * @throws EOFException if the file is another one
	 */
	byte @Nullable [] entries(String serverName, int max) throws IOException {
		Part part = this.outline.servers().get(serverName);
		if (part == null) {
			return null;
		}
		if (part.size() > max) {
			throw tooLarge("the object of '" + serverName + "'", part.size(), max);
		}
		try (InputStream stream = open()) {
			stream.skipNBytes(part.start());
			return stream.readNBytes((int) part.size());
		}
	}

	/**
	 * Copy the text of the entries of a server without parsing it.
	 */
	void copy(Part part, OutputStream target) throws IOException {
		try (InputStream stream = open()) {
			StreamUtils.copyRange(stream, target, part.start(), part.end() - 1);
		}
	}

	private InputStream open() throws IOException {
		return (this.text != null) ? new ByteArrayInputStream(this.text) : this.file.getInputStream();
	}

	/**
	 * Identifies one content of a file.
	 */
	record Stamp(long modified, long size, String key) {

		/**
		 * The stamp of a resource that is not a file, and does not change.
		 */
		static final Stamp NONE = new Stamp(0, 0, "");

		/**
		 * The stamp of a missing file.
		 */
		static final Stamp MISSING = new Stamp(0, 0, "missing");

		static Stamp of(Resource file) throws IOException {
			return file.isFile() ? of(file.getFile().toPath()) : NONE;
		}

		static Stamp of(Path file) throws IOException {
			BasicFileAttributes attributes;
			try {
				attributes = Files.readAttributes(file, BasicFileAttributes.class);
			}
			catch (NoSuchFileException ex) {
				return MISSING;
			}
			// a pipe or a device may block, or never end
			if (!attributes.isRegularFile()) {
				throw new IOException("it is not a file");
			}
			return new Stamp(attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size(),
					String.valueOf(attributes.fileKey()));
		}

	}

}
