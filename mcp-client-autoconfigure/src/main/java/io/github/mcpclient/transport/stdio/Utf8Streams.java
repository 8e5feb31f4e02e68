package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Converts text of any encoding from and to UTF-8. Lines can then be told by their bytes,
 * which they cannot in UTF-16.
 */
final class Utf8Streams {

	private Utf8Streams() {
	}

	static InputStream decode(InputStream in, Charset encoding) {
		return (encoding.equals(StandardCharsets.UTF_8) || encoding.equals(StandardCharsets.US_ASCII)) ? in
				: new Utf8InputStream(new InputStreamReader(in, encoding));
	}

	/**
	 * Takes UTF-8, of which each array holds whole characters.
	 */
	static OutputStream encode(OutputStream out, Charset encoding) {
		return encoding.equals(StandardCharsets.UTF_8) ? out
				: new Utf8OutputStream(new OutputStreamWriter(out, encoding));
	}

	private static final class Utf8InputStream extends InputStream {

		private final Reader reader;

		private final char[] chars = new char[4096];

		private byte[] bytes = new byte[0];

		private int position;

		Utf8InputStream(Reader reader) {
			this.reader = reader;
		}

		@Override
		public int read() throws IOException {
			byte[] single = new byte[1];
			return (read(single, 0, 1) != -1) ? single[0] & 0xFF : -1;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			while (this.position == this.bytes.length) {
				int count = this.reader.read(this.chars);
				if (count == -1) {
					return -1;
				}
				// a decoder does not part the two halves of a surrogate pair
				this.bytes = new String(this.chars, 0, count).getBytes(StandardCharsets.UTF_8);
				this.position = 0;
			}
			int count = Math.min(length, this.bytes.length - this.position);
			System.arraycopy(this.bytes, this.position, target, offset, count);
			this.position += count;
			return count;
		}

	}

	private static final class Utf8OutputStream extends OutputStream {

		private final Writer writer;

		Utf8OutputStream(Writer writer) {
			this.writer = writer;
		}

		@Override
		public void write(int ascii) throws IOException {
			this.writer.write(ascii);
		}

		@Override
		public void write(byte[] utf8, int offset, int length) throws IOException {
			this.writer.write(new String(utf8, offset, length, StandardCharsets.UTF_8));
		}

		@Override
		public void flush() throws IOException {
			this.writer.flush();
		}

		@Override
		public void close() throws IOException {
			this.writer.close();
		}

	}

}
