package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.log.LogMessage;
import org.springframework.util.StringUtils;

/**
 * What logins leave behind for one server, in a file of JSON that only the user can read.
 */
final class TokenFile {

	private static final Log logger = LogFactory.getLog(TokenFile.class);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	/**
	 * Several servers may share a file.
	 */
	private static final Lock LOCK = new ReentrantLock();

	private final Path path;

	private final String server;

	private TokenFile(Path path, String server) {
		this.path = path;
		this.server = server;
	}

	static @Nullable TokenFile of(McpServerDefinition definition) {
		String path = definition.auth().oauth2().tokenFile();
		Http http = definition.http();
		return (StringUtils.hasText(path) && http != null)
				? new TokenFile(Path.of(path).toAbsolutePath(), http.url().toString()) : null;
	}

	Map<String, Object> read() {
		return readAll().getOrDefault(this.server, Map.of());
	}

	private Map<String, Map<String, Object>> readAll() {
		try {
			return Files.exists(this.path) ? MAPPER.readValue(Files.readAllBytes(this.path), new TypeReference<>() {
			}) : Map.of();
		}
		catch (IOException | JacksonException ex) {
			logger.warn(LogMessage.format("%s has no tokens that can be read; logins are needed", this.path));
			return Map.of();
		}
	}

	void write(Map<String, Object> values) {
		LOCK.lock();
		try {
			Map<String, Map<String, Object>> all = new TreeMap<>(readAll());
			all.put(this.server, values);
			Path directory = this.path.getParent();
			Files.createDirectories(directory);
			// such a file is the user's alone, wherever there are permissions
			Path written = Files.createTempFile(directory, "tokens", ".json");
			Files.write(written, MAPPER.writeValueAsBytes(all));
			Files.move(written, this.path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			logger.warn(LogMessage.format("The tokens cannot be kept in %s, and another login will be needed: %s",
					this.path, ex));
		}
		finally {
			LOCK.unlock();
		}
	}

}
