package io.github.mcpclient.config;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Builder;
import io.github.mcpclient.McpServerDefinition.Feature;
import io.github.mcpclient.McpServerDefinition.Limits;
import io.github.mcpclient.McpServerDefinition.Reconnect;
import io.github.mcpclient.McpServerDefinition.Timeouts;
import io.github.mcpclient.McpServerDefinition.Tools;
import io.github.mcpclient.McpToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Makes complete definitions. The only place where a setting of a server, the one for all
 * servers and the built-in default meet.
 */
final class Definitions {

	private static final String UNKNOWN_TYPE = "unknown";

	private Definitions() {
	}

	/**
	 * Make a definition. Settings that are not valid, which those of a server that is not
	 * enabled can be, are left out.
	 * @param name the name of the server
	 * @param type its type, or {@code null} if that is not known
	 * @param enabled whether the server is enabled
	 * @param own the settings of the server
	 * @param shared the settings of all servers
	 * @param envFiles reads a file of environment variables
	 * @return the definition
	 */
	static McpServerDefinition of(String name, @Nullable ServerType type, boolean enabled, McpServerProperties own,
			McpServerSettings shared, Function<String, EnvFile> envFiles) {
		Builder builder = McpServerDefinition.of(name, (type != null) ? type.name() : UNKNOWN_TYPE)
			.typeInferred(type != null && type.inferred())
			.enabled(enabled)
			.required(first(own.getRequired(), shared.getRequired(), false))
			.timeouts(timeouts(own, shared))
			.reconnect(reconnect(own.getReconnect(), shared.getReconnect()))
			.limits(limits(own, shared))
			.tools(tools(own.getTools(), shared.getTools()))
			.prompts(prompts(own.getPrompts(), shared.getPrompts()))
			.resources(resources(own.getResources(), shared.getResources()))
			.experimentalCapabilities(merged(shared.getConfig(), own.getConfig()));
		if (type == null || !type.isStdio()) {
			addHttp(builder, own, shared);
		}
		if (type == null || !type.isHttp()) {
			// a server that is not enabled costs nothing, not even a file
			String envFile = enabled ? envFile(own, shared) : null;
			addStdio(builder, own, shared, (envFile != null) ? envFiles.apply(envFile).variables() : Map.of());
		}
		return builder.build();
	}

	/**
	 * Return the file of environment variables of a server.
	 * @param own the settings of the server
	 * @param shared the settings of all servers
	 * @return the name of the file, or {@code null} for none
	 */
	static @Nullable String envFile(McpServerProperties own, McpServerSettings shared) {
		String location = firstOrNull(own.getEnvFile(), shared.getEnvFile(), null);
		return (StringUtils.hasText(location) && StringUtils.hasText(own.getCommand())) ? location : null;
	}

	static Reconnect reconnect(McpServerSettings.@Nullable Reconnect own, McpServerSettings.Reconnect shared) {
		McpServerSettings.Reconnect values = (own != null) ? own : new McpServerSettings.Reconnect();
		Reconnect defaults = Reconnect.DEFAULTS;
		return new Reconnect(first(values.getEnabled(), shared.getEnabled(), defaults.enabled()),
				first(values.getInitialDelay(), shared.getInitialDelay(), defaults.initialDelay()),
				first(values.getMultiplier(), shared.getMultiplier(), defaults.multiplier()),
				first(values.getMaxDelay(), shared.getMaxDelay(), defaults.maxDelay()),
				first(values.getJitter(), shared.getJitter(), defaults.jitter()));
	}

	private static Timeouts timeouts(McpServerSettings own, McpServerSettings shared) {
		Timeouts defaults = Timeouts.DEFAULTS;
		return new Timeouts(first(own.getRequestTimeout(), shared.getRequestTimeout(), defaults.request()),
				first(own.getInitializationTimeout(), shared.getInitializationTimeout(), defaults.initialization()),
				first(own.getFirstStartTimeout(), shared.getFirstStartTimeout(), defaults.firstStart()),
				first(own.getConnectTimeout(), shared.getConnectTimeout(), defaults.connect()),
				firstOrNull(own.getKeepAliveInterval(), shared.getKeepAliveInterval(), defaults.keepAliveInterval()));
	}

	private static Limits limits(McpServerSettings own, McpServerSettings shared) {
		Limits defaults = Limits.DEFAULTS;
		return new Limits(first(own.getMaxMessageSize(), shared.getMaxMessageSize(), defaults.maxMessageSize()),
				first(own.getMaxResultSize(), shared.getMaxResultSize(), defaults.maxResultSize()),
				first(own.getTools().getMax(), shared.getTools().getMax(), defaults.maxTools()), firstOrNull(
						own.getMaxConcurrentCalls(), shared.getMaxConcurrentCalls(), defaults.maxConcurrentCalls()));
	}

	private static Tools tools(McpServerSettings.Tools own, McpServerSettings.Tools shared) {
		Tools defaults = Tools.DEFAULTS;
		McpToolPolicy policy = defaults.policy();
		return new Tools(first(own.getEnabled(), shared.getEnabled(), defaults.enabled()),
				firstOrNull(own.getPrefix(), shared.getPrefix(), defaults.prefix()),
				first(own.getFilter(), shared.getFilter(), defaults.filter()),
				new McpToolPolicy(first(own.getAccess(), shared.getAccess(), policy.access()),
						first(own.getAllowDestructive(), shared.getAllowDestructive(), policy.allowDestructive()),
						first(own.getAllowOpenWorld(), shared.getAllowOpenWorld(), policy.allowOpenWorld())),
				first(own.getValidateArguments(), shared.getValidateArguments(), defaults.validateArguments()),
				first(own.getValidateResults(), shared.getValidateResults(), defaults.validateResults()), firstOrNull(
						own.getHideWhenUnavailable(), shared.getHideWhenUnavailable(), defaults.hideWhenUnavailable()));
	}

	private static Feature prompts(McpServerSettings.Prompts own, McpServerSettings.Prompts shared) {
		return new Feature(first(own.getEnabled(), shared.getEnabled(), Feature.DEFAULTS.enabled()),
				first(own.getMax(), shared.getMax(), Feature.DEFAULTS.max()));
	}

	private static Feature resources(McpServerSettings.Resources own, McpServerSettings.Resources shared) {
		return new Feature(first(own.getEnabled(), shared.getEnabled(), Feature.DEFAULTS.enabled()),
				first(own.getMax(), shared.getMax(), Feature.DEFAULTS.max()));
	}

	private static void addHttp(Builder builder, McpServerProperties own, McpServerSettings shared) {
		URI url = (own.getUrl() != null) ? UrlRules.parse(own.getUrl()) : null;
		if (url == null || url.getScheme() == null) {
			return;
		}
		builder.url(url)
			.headers(headers(own.getHeaders(), shared.getHeaders()))
			.sslBundle(firstOrNull(own.getSsl().getBundle(), shared.getSsl().getBundle(), null))
			.sseReadTimeout(firstOrNull(own.getSseReadTimeout(), shared.getSseReadTimeout(), null))
			.terminateOnClose(first(own.getTerminateOnClose(), shared.getTerminateOnClose(), true));
	}

	private static void addStdio(Builder builder, McpServerProperties own, McpServerSettings shared,
			Map<String, String> fromFile) {
		String command = own.getCommand();
		if (command == null || !StringUtils.hasText(command)) {
			return;
		}
		builder.command(command)
			.args(first(own.getArgs(), shared.getArgs(), List.of()))
			.env(merged(fromFile, merged(shared.getEnv(), own.getEnv())))
			.inheritEnvironment(first(own.getInheritEnvironment(), shared.getInheritEnvironment(), false))
			.workingDirectory(directory(firstOrNull(own.getWorkingDirectory(), shared.getWorkingDirectory(), null)))
			.encoding(first(own.getEncoding(), shared.getEncoding(), StandardCharsets.UTF_8));
	}

	private static <T> Map<String, T> merged(Map<String, T> defaults, Map<String, T> values) {
		Map<String, T> merged = new LinkedHashMap<>(defaults);
		merged.putAll(values);
		return merged;
	}

	private static Map<String, String> headers(Map<String, String> own, Map<String, String> shared) {
		Map<String, String> headers = new LinkedHashMap<>(shared);
		own.forEach((name, value) -> {
			headers.keySet().removeIf(name::equalsIgnoreCase);
			headers.put(name, value);
		});
		return headers;
	}

	private static @Nullable Path directory(@Nullable String directory) {
		try {
			return StringUtils.hasText(directory) ? Path.of(directory) : null;
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	private static <T> T first(@Nullable T own, @Nullable T shared, T builtIn) {
		return Objects.requireNonNullElse(own, Objects.requireNonNullElse(shared, builtIn));
	}

	private static <T> @Nullable T firstOrNull(@Nullable T own, @Nullable T shared, @Nullable T builtIn) {
		return (own != null) ? own : ((shared != null) ? shared : builtIn);
	}

}
