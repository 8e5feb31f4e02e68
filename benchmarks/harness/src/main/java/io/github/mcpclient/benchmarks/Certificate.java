package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for {@code localhost}, which signs itself, and its key.
 *
 * @param certificate the certificate in a file of PEM
 * @param key the key in a file of PEM
 */
record Certificate(Path certificate, Path key) {

	private static final String PASSWORD = "changeit";

	static Certificate create() throws IOException {
		Path directory = Files.createTempDirectory("benchmarks");
		Path store = directory.resolve("store.p12");
		run(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
				"stub", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-storetype", "PKCS12",
				"-keystore", store.toString(), "-storepass", PASSWORD));
		try (InputStream content = Files.newInputStream(store)) {
			KeyStore keys = KeyStore.getInstance("PKCS12");
			keys.load(content, PASSWORD.toCharArray());
			return new Certificate(
					write(directory.resolve("certificate.pem"), "CERTIFICATE",
							keys.getCertificate("stub").getEncoded()),
					write(directory.resolve("key.pem"), "PRIVATE KEY",
							keys.getKey("stub", PASSWORD.toCharArray()).getEncoded()));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void run(List<String> command) throws IOException {
		try {
			int status = new ProcessBuilder(command).inheritIO().start().waitFor();
			if (status != 0) {
				throw new IllegalStateException("keytool ended with " + status);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path write(Path file, String type, byte[] content) throws IOException {
		String text = Base64.getMimeEncoder().encodeToString(content);
		return Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
	}

}
