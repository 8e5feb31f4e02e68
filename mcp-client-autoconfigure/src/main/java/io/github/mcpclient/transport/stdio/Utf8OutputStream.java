package io.github.mcpclient.transport.stdio;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Takes UTF-8 and writes it as text of another encoding. An array must hold whole
 * characters.
 */
final class Utf8OutputStream extends FilterOutputStream {

	private final Writer writer;

	private Utf8OutputStream(OutputStream out, Charset encoding) {
		super(out);
		this.writer = new OutputStreamWriter(out, encoding);
	}

	/**
	 * Return a stream that takes UTF-8.
	 * @param out where to write to
	 * @param encoding the encoding to write
	 * @return the stream; the same where nothing need be converted
	 */
	static OutputStream of(OutputStream out, Charset encoding) {
		return encoding.equals(StandardCharsets.UTF_8) ? out : new Utf8OutputStream(out, encoding);
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
