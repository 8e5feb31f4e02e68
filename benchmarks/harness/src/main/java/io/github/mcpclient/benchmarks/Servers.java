package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.github.mcpclient.benchmarks.server.StubServer;

/**
 * Streamable HTTP servers in a JVM of their own.
 */
final class Servers implements AutoCloseable {

	private final Jvm jvm;

	private final List<String> urls;

	private Servers(Jvm jvm, List<String> urls) {
		this.jvm = jvm;
		this.urls = urls;
	}

	static Servers start(int number, Duration delay, boolean stream) throws IOException {
		Jvm jvm = Jvm.start("harness", StubServer.class,
				List.of(String.valueOf(number), String.valueOf(delay.toMillis()), String.valueOf(stream)));
		try {
			return new Servers(jvm, List.of(jvm.next().text("urls").split(",")));
		}
		catch (IOException | RuntimeException ex) {
			jvm.close();
			throw ex;
		}
	}

	List<String> urls() {
		return this.urls;
	}

	@Override
	public void close() {
		this.jvm.close();
	}

}
