package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Reads text of any encoding as UTF-8. Lines can then be told by their bytes, which they
 * cannot in UTF-16.
 */
final class Utf8InputStream extends InputStream {

	private final Reader reader;

	private final char[] chars = new char[4096];

	private byte[] bytes = new byte[0];

	private int position;

	private Utf8InputStream(Reader reader) {
		this.reader = reader;
	}

	/**
	 * Return the given text in UTF-8.
	 * @param in the text
	 * @param encoding its encoding
	 * @return the text; the same stream where it need not be converted
	 */
	static InputStream of(InputStream in, Charset encoding) {
		if (encoding.equals(StandardCharsets.UTF_8) || encoding.equals(StandardCharsets.US_ASCII)) {
			return in;
		}
		return new Utf8InputStream(new InputStreamReader(in, encoding));
	}

	@Override
	public int read() throws IOException {
		byte[] single = new byte[1];
		return (read(single, 0, 1) != -1) ? single[0] & 0xFF : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		if (length == 0) {
			return 0;
		}
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

	@Override
	public void close() throws IOException {
		this.reader.close();
	}

}
