package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

/**
 * Keys and certificates that the JDK's {@code keytool} makes, in files of type PKCS12,
 * valid for two days.
 */
public final class Certificates {

	public static final String PASSWORD = "password";

	private final Path directory;

	/**
	 * Keep the files somewhere.
	 * @param directory the directory
	 */
	public Certificates(Path directory) {
		this.directory = directory;
	}

	/**
	 * Make a key with a certificate that it signed itself.
	 * @param name the name in the certificate, {@code CN=<name>}
	 * @return the file, {@code <name>.p12}
	 */
	public Path create(String name) throws IOException, InterruptedException {
		return generate(name, "key", "-validity", "2", "-dname", "CN=" + name, "-ext",
				"san=dns:localhost,ip:127.0.0.1");
	}

	/**
	 * Make a key with a certificate that is signed by another one of its own, and a file
	 * that trusts that, {@code <name>-trust.p12}.
	 * @param name the name in the certificate, {@code CN=<name>}
	 * @param host the name of the host that it is for
	 * @param start when its two days begin, such as {@code -10d}
	 */
	public Path createSigned(String name, String host, String start)
			throws IOException, InterruptedException, GeneralSecurityException {
		generate(name, "ca", "-startdate", "-30d", "-validity", "60", "-dname", "CN=" + name + " CA", "-ext", "bc:c");
		generate(name, "key", "-signer", "ca", "-startdate", start, "-validity", "2", "-dname", "CN=" + name, "-ext",
				"san=dns:" + host);
		KeyStore store = load(file(name));
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry(name, store.getCertificate("ca"));
		store.deleteEntry("ca");
		save(trusted, file(name + "-trust"));
		save(store, file(name));
		return file(name);
	}

	private Path generate(String name, String alias, String... options) throws IOException, InterruptedException {
		Path file = file(name);
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
						"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", alias, "-keyalg",
						"EC", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD));
		command.addAll(List.of(options));
		Process keytool = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
			throw new IllegalStateException("keytool failed");
		}
		return file;
	}

	/**
	 * Put certificates into a file that trusts them.
	 * @param file the name of the file
	 * @param names the certificates
	 */
	public Path trust(String file, String... names) throws IOException, GeneralSecurityException {
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		for (String name : names) {
			trusted.setCertificateEntry(name, load(file(name)).getCertificate("key"));
		}
		save(trusted, file(file));
		return file(file);
	}

	private static void save(KeyStore store, Path file) throws IOException, GeneralSecurityException {
		try (OutputStream out = Files.newOutputStream(file)) {
			store.store(out, PASSWORD.toCharArray());
		}
	}

	/**
	 * TLS for a server.
	 */
	public SslContext server(String name) throws IOException, GeneralSecurityException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(load(file(name)), PASSWORD.toCharArray());
		return SslContextBuilder.forServer(keys).build();
	}

	/**
	 * TLS for a client that trusts what a file holds.
	 */
	public SslContext client(String trusted) throws IOException, GeneralSecurityException {
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(load(file(trusted)));
		return SslContextBuilder.forClient().trustManager(trust).build();
	}

	/**
	 * Put a file in the place of another one, at once.
	 */
	public void replace(String name, String other) throws IOException {
		Path copy = Files.copy(file(other), file(other + "-copy"), StandardCopyOption.REPLACE_EXISTING);
		Files.move(copy, file(name), StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * TLS for a server that asks its clients for a certificate.
	 * @param name the certificate of the server
	 * @param trusted the file with the clients that it trusts
	 */
	public SslContext mutual(String name, String trusted) throws IOException, GeneralSecurityException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(load(file(name)), PASSWORD.toCharArray());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(load(file(trusted)));
		return SslContextBuilder.forServer(keys).trustManager(trust).clientAuth(ClientAuth.REQUIRE).build();
	}

	private Path file(String name) {
		return this.directory.resolve(name + ".p12");
	}

	private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD.toCharArray());
		}
		return store;
	}

}
