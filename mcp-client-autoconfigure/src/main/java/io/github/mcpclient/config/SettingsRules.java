package io.github.mcpclient.config;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.mcpclient.McpServerDefinition.Reconnect;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * What holds for the settings of one server, and for those of all servers alike.
 */
final class SettingsRules {

	private static final Duration LONGEST = Duration.ofHours(24);

	// a message is one array of bytes
	private static final DataSize LARGEST = DataSize.ofBytes(Integer.MAX_VALUE);

	private static final Set<String> RESERVED_HEADERS = reservedHeaders();

	private static final String TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~";

	/**
	 * As in the filters themselves: longer than any name that a tool should have.
	 */
	private static final int LONGEST_PATTERN = 256;

	private final Place place;

	private final Problems problems;

	SettingsRules(Place place, Problems problems) {
		this.place = place;
		this.problems = problems;
	}

	void check(McpServerSettings values) {
		positive("request-timeout", values.getRequestTimeout());
		positive("initialization-timeout", values.getInitializationTimeout());
		positive("first-start-timeout", values.getFirstStartTimeout());
		positive("connect-timeout", values.getConnectTimeout());
		positive("keep-alive-interval", values.getKeepAliveInterval());
		positive("sse-read-timeout", values.getSseReadTimeout());
		positive("max-message-size", values.getMaxMessageSize());
		positive("max-result-size", values.getMaxResultSize());
		positive("max-concurrent-calls", values.getMaxConcurrentCalls());
		positive("tools.max", values.getTools().getMax());
		positive("tools.hide-when-unavailable", values.getTools().getHideWhenUnavailable());
		positive("prompts.max", values.getPrompts().getMax());
		positive("resources.max", values.getResources().getMax());
		positive("reconnect.initial-delay", values.getReconnect().getInitialDelay());
		positive("reconnect.max-delay", values.getReconnect().getMaxDelay());
		Double multiplier = values.getReconnect().getMultiplier();
		if (multiplier != null && !(multiplier >= 1 && Double.isFinite(multiplier))) {
			reject("reconnect.multiplier", "The delay must not shrink: the multiplier is at least 1.");
		}
		Double jitter = values.getReconnect().getJitter();
		if (jitter != null && !(jitter >= 0 && jitter <= 1)) {
			reject("reconnect.jitter", "The random part of the delay is from 0 (none) to 1 (all of it).");
		}
		if (values.getWorkingDirectory() != null && values.getWorkingDirectory().indexOf('\0') != -1) {
			reject("working-directory", "The name of a directory must not contain a NUL character.");
		}
		checkPatterns("tools.filter", values.getTools().getFilter());
		values.getHeaders().forEach(this::header);
		values.getEnv().forEach(this::variable);
		values.getConfig().forEach(this::capability);
	}

	/**
	 * Check the type that is given for all servers.
	 * @param values the settings
	 * @param types the types that there are
	 */
	void checkType(McpServerSettings values, TransportTypes types) {
		if (StringUtils.hasText(values.getType()) && types.find(values.getType()) == null) {
			reject("type", types.unknown(values.getType()));
		}
	}

	/**
	 * Check the types that the application may use.
	 * @param allowed the types, or {@code null} for all
	 * @param types the types that there are
	 */
	void checkTransports(@Nullable List<String> allowed, TransportTypes types) {
		if (allowed != null && allowed.isEmpty()) {
			reject("transports", "There is no type. Remove the property to allow all, or set mcp.enabled to false.");
		}
		for (String type : (allowed != null) ? allowed : List.<String>of()) {
			if (types.find(type) == null) {
				reject("transports", types.unknown(type));
			}
		}
	}

	/**
	 * Check the delays against each other, if one of them is given here.
	 * @param values what is given here
	 * @param effective the delays, with defaults
	 */
	void checkDelays(McpServerSettings.Reconnect values, Reconnect effective) {
		if (effective.maxDelay().compareTo(effective.initialDelay()) >= 0) {
			return;
		}
		if (values.getMaxDelay() != null) {
			reject("reconnect.max-delay", "The longest delay must not be shorter than the initial delay ("
					+ print(effective.initialDelay()) + ").");
		}
		else if (values.getInitialDelay() != null) {
			reject("reconnect.initial-delay", "The initial delay must not be longer than the longest delay ("
					+ print(effective.maxDelay()) + ").");
		}
	}

	void checkWait(Duration wait) {
		if (wait.isNegative()) {
			reject("wait", "The duration must not be negative.");
		}
		notTooLong("wait", wait);
	}

	/**
	 * Check patterns for the names of tools.
	 * @param setting the name of the setting
	 * @param patterns the patterns, or {@code null}
	 */
	void checkPatterns(String setting, @Nullable List<String> patterns) {
		for (String pattern : (patterns != null) ? patterns : List.<String>of()) {
			String stripped = pattern.strip();
			String name = (stripped.startsWith("!") ? stripped.substring(1) : stripped).strip();
			if (name.isEmpty()) {
				reject(setting, "There is a pattern without a name: '" + stripped
						+ "'. Write a name, or a pattern such " + "as 'read_*', with a '!' before it to deny.");
			}
			else if (name.length() > LONGEST_PATTERN) {
				reject(setting, "There is a pattern of " + name.length() + " characters: the longest possible is "
						+ LONGEST_PATTERN + ".");
			}
		}
	}

	void checkEnvFile(EnvFile file) {
		if (file.mistake() != null) {
			reject("env-file", file.mistake());
		}
	}

	private void capability(String name, Object settings) {
		if (!(settings instanceof Map)) {
			reject("config", name, "This is not an object. What is below 'config' is sent as experimental "
					+ "capabilities, each of which is an object by the MCP specification: write names and values "
					+ "below it.");
		}
	}

	private void positive(String setting, @Nullable Duration duration) {
		if (duration != null) {
			if (duration.isNegative() || duration.isZero()) {
				reject(setting, "The duration must be longer than zero.");
			}
			notTooLong(setting, duration);
		}
	}

	private void notTooLong(String setting, Duration duration) {
		if (duration.compareTo(LONGEST) > 0) {
			reject(setting,
					"The duration must not be longer than 24 hours. A number without a unit is in milliseconds.");
		}
	}

	private void positive(String setting, @Nullable DataSize size) {
		if (size != null && size.toBytes() <= 0) {
			reject(setting, "The size must be larger than zero.");
		}
		if (size != null && size.compareTo(LARGEST) > 0) {
			reject(setting, "The size must be smaller than 2GB.");
		}
	}

	private void positive(String setting, @Nullable Integer count) {
		if (count != null && count <= 0) {
			reject(setting, "The number must be larger than zero.");
		}
	}

	private void header(String name, String value) {
		if (!isToken(name)) {
			reject("headers", name,
					"This is not a name for a header: use letters, digits and " + TOKEN_CHARACTERS + " only.");
		}
		else if (RESERVED_HEADERS.contains(name)) {
			reject("headers", name, "This header is set by the MCP client itself. Remove it.");
		}
		else if (value.indexOf('\n') != -1 || value.indexOf('\r') != -1) {
			reject("headers", name, "The value has a line break, at its end perhaps: a header is one line.");
		}
		else if (!value.chars().allMatch(SettingsRules::isHeaderCharacter)) {
			reject("headers", name, "The value has a character that cannot be sent in a header: use ISO-8859-1 "
					+ "characters only, without control characters.");
		}
	}

	private void variable(String name, String value) {
		if (name.indexOf('=') != -1 || name.indexOf('\0') != -1) {
			reject("env", name, "The name of an environment variable must not contain '=' or a NUL character.");
		}
		else if (value.indexOf('\0') != -1) {
			reject("env", name, "The value of an environment variable must not contain a NUL character.");
		}
	}

	private static String print(Duration duration) {
		return (duration.toMillisPart() == 0) ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

	private void reject(String setting, String message) {
		this.problems.add(this.place.problem(setting, message));
	}

	private void reject(String map, String key, String message) {
		this.problems.add(this.place.problem(map, key, message));
	}

	// RFC 9110, section 5.6.2
	private static boolean isToken(String name) {
		return !name.isEmpty() && name.chars()
			.allMatch((ch) -> (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9')
					|| TOKEN_CHARACTERS.indexOf(ch) != -1);
	}

	// RFC 9110, section 5.5
	private static boolean isHeaderCharacter(int ch) {
		return ch == '\t' || (ch >= ' ' && ch <= '~') || (ch >= 0x80 && ch <= 0xFF);
	}

	private static Set<String> reservedHeaders() {
		Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		Collections.addAll(names, "Accept", "Connection", "Content-Length", "Content-Type", "Last-Event-ID",
				"MCP-Protocol-Version", "Mcp-Session-Id", "TE", "Transfer-Encoding", "Upgrade");
		return names;
	}

}
