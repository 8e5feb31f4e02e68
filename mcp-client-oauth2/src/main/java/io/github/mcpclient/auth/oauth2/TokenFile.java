package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.log.LogMessage;

/**
 * The state of logins per server, in a JSON file that only the user can read.
 *
 * @param path the file, which several servers may share; {@code null} for none
 */
record TokenFile(@Nullable Path path, String server) {

	private static final Log logger = LogFactory.getLog(TokenFile.class);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final Lock LOCK = new ReentrantLock();

	Login read() {
		return readAll().getOrDefault(this.server, new Login(null, Map.of(), null, null, Set.of()));
	}

	private Map<String, Login> readAll() {
		try {
			if (this.path != null && Files.exists(this.path)) {
				return MAPPER.readValue(Files.readAllBytes(this.path), new TypeReference<>() {
				});
			}
		}
		catch (IOException | JacksonException ex) {
			logger.warn(
					LogMessage.format("The tokens in %s cannot be read, and another login will be needed", this.path));
		}
		return Map.of();
	}

	void write(Login login) {
		if (this.path == null) {
			return;
		}
		LOCK.lock();
		try {
			Map<String, Login> all = new TreeMap<>(readAll());
			all.put(this.server, login);
			Path directory = this.path.toAbsolutePath().getParent();
			Files.createDirectories(directory);
			// such a file is readable by the user only, where permissions are supported
			Path written = Files.createTempFile(directory, "tokens", ".json");
			Files.write(written, MAPPER.writeValueAsBytes(all));
			Files.move(written, this.path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			logger.warn(LogMessage.format("The tokens cannot be stored in %s, and another login will be needed: %s",
					this.path, ex));
		}
		finally {
			LOCK.unlock();
		}
	}

	/**
	 * The stored state of one server.
	 *
	 * @param clients the registered clients, by issuer
	 * @param client the client of the refresh token
	 * @param scopes the granted scopes, if known
	 */
	record Login(@Nullable String redirectUri, Map<String, Map<String, Object>> clients, @Nullable String refreshToken,
			@Nullable String client, Set<String> scopes) {

		Login {
			clients = (clients != null) ? clients : Map.of();
			scopes = (scopes != null) ? scopes : Set.of();
		}

		@Override
		public String toString() {
			return "Login[" + this.redirectUri + "]";
		}

	}

}
