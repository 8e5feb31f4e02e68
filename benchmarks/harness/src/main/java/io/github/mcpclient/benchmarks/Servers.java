package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.mcpclient.benchmarks.server.StubServer;
import org.jspecify.annotations.Nullable;

/**
 * Streamable HTTP servers in a JVM of their own.
 */
final class Servers implements AutoCloseable {

	private final Jvm jvm;

	private final List<String> urls;

	private final @Nullable Certificate certificate;

	private Servers(Jvm jvm, List<String> urls, @Nullable Certificate certificate) {
		this.jvm = jvm;
		this.urls = urls;
		this.certificate = certificate;
	}

	static Servers start(int number, Duration delay, boolean stream) throws IOException {
		return start(number, delay, stream, null);
	}

	/**
	 * Start one server that listens with TLS, too.
	 */
	static Servers startSecure() throws IOException {
		return start(1, Duration.ZERO, false, Certificate.create());
	}

	private static Servers start(int number, Duration delay, boolean stream, @Nullable Certificate certificate)
			throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of(String.valueOf(number), String.valueOf(delay.toMillis()), String.valueOf(stream)));
		if (certificate != null) {
			arguments.addAll(List.of(certificate.certificate().toString(), certificate.key().toString()));
		}
		Jvm jvm = Jvm.start("harness", StubServer.class, arguments);
		try {
			return new Servers(jvm, List.of(jvm.next().text("urls").split(",")), certificate);
		}
		catch (IOException | RuntimeException ex) {
			jvm.close();
			throw ex;
		}
	}

	List<String> urls() {
		return this.urls;
	}

	/**
	 * Return the url of the server that listens with TLS, and the path of its certificate
	 * as the fragment.
	 */
	String secureUrl() {
		Certificate certificate = Objects.requireNonNull(this.certificate);
		return this.urls.get(this.urls.size() - 1) + "#" + certificate.certificate();
	}

	@Override
	public void close() {
		this.jvm.close();
	}

}
