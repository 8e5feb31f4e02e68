package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

import io.github.mcpclient.support.LogLimit;
import io.github.mcpclient.support.Secrets;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A child's standard error: the last lines are kept, and each one, unless there are too
 * many, is logged at {@code DEBUG} under the name
 * {@code io.github.mcpclient.stderr.<server>}. Read by one thread.
 */
final class ChildStderr {

	/**
	 * How much of a line is looked at. More than is kept, as masked secrets shrink.
	 */
	private static final int MAX_BYTES = 4 * 1024;

	private final Log logger;

	private final Secrets secrets;

	private final ChildLines lines = new ChildLines();

	private final LogLimit limit;

	ChildStderr(String serverName, Secrets secrets, LongSupplier nanoTime) {
		this.logger = LogFactory.getLog("io.github.mcpclient.stderr." + serverName);
		this.secrets = secrets;
		this.limit = new LogLimit(nanoTime);
	}

	/**
	 * Reads UTF-8 until the stream ends. How it ends is of no interest: a child may close
	 * it.
	 */
	void pump(InputStream in) {
		LineSplitter splitter = new LineSplitter(MAX_BYTES, 0, true, this::add);
		byte[] chunk = new byte[8192];
		try {
			for (int count = in.read(chunk); count != -1; count = in.read(chunk)) {
				splitter.accept(chunk, count);
			}
		}
		catch (IOException ex) {
			this.logger.trace("Cannot read on", ex);
		}
		splitter.end();
	}

	private void add(byte[] buffer, int offset, int length, boolean truncated) {
		String line = this.secrets.line(new String(buffer, offset, length, StandardCharsets.UTF_8),
				ChildLines.MAX_LENGTH, truncated);
		if (!line.isEmpty()) {
			this.lines.add(line);
			if (this.logger.isDebugEnabled()) {
				this.limit.log(() -> this.logger.debug(line), this.logger::debug);
			}
		}
	}

	ChildLines lines() {
		return this.lines;
	}

}
