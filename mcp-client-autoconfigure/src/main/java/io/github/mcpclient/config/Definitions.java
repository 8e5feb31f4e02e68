package io.github.mcpclient.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.rules.DefinitionRules;
import io.github.mcpclient.rules.ServerType;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.StringUtils;

/**
 * Makes definitions of settings. The built-in defaults are those of the definition.
 */
record Definitions(@Nullable Duration connectTimeout, McpProperties.Runtimes runtimes) {

	private static final String UNKNOWN_TYPE = "unknown";

	/**
	 * Makes a definition. What cannot be read, or is not valid for a server that is not
	 * enabled, is left out.
	 */
	McpServerDefinition of(String name, @Nullable ServerType type, McpServerProperties values,
			Map<String, String> fromFile, Collection<String> secrets) {
		McpServerDefinitionBuilder builder = McpServerDefinition.of(name, (type != null) ? type.name() : UNKNOWN_TYPE)
			.typeInferred(type != null && type.inferred())
			.secrets(secrets);
		values.applyTo(builder);
		if (values.connectTimeout() == null && this.connectTimeout != null) {
			builder.connectTimeout(this.connectTimeout);
		}
		addFilter(builder, Objects.requireNonNullElse(values.tools().filter(), List.of()),
				!Boolean.FALSE.equals(values.enabled()));
		Map<String, Object> config = new LinkedHashMap<>();
		values.config().forEach((capability, value) -> config.put(capability, withLists(value, true)));
		Map<String, Object> options = new LinkedHashMap<>();
		values.options().forEach((option, value) -> options.put(option, withLists(value, false)));
		builder.experimentalCapabilities(config).options(options);
		if (type == null || !type.isStdio()) {
			addHttp(builder, values);
		}
		if (type == null || !type.isHttp()) {
			addStdio(builder, values, fromFile);
		}
		return builder.build();
	}

	private static void addFilter(McpServerDefinitionBuilder builder, List<String> filter, boolean enabled) {
		List<String> mistakes = new ArrayList<>();
		DefinitionRules.checkPatterns("", filter, (setting, mistake) -> mistakes.add(mistake));
		// a filter that is not valid must not let all tools through
		builder.toolFilter((enabled || mistakes.isEmpty()) ? filter : List.of("!*"));
	}

	private static void addHttp(McpServerDefinitionBuilder builder, McpServerProperties values) {
		URI url = (values.url() != null) ? url(values.url()) : null;
		if (url == null || (url.getScheme() == null && Boolean.FALSE.equals(values.enabled()))) {
			return;
		}
		// those of the server are after the default ones
		Map<String, String> headers = new LinkedCaseInsensitiveMap<>(Locale.ROOT);
		headers.putAll(values.headers());
		builder.url(url).headers(headers).proxy(ServerProxy.of(values.proxy(), url, System::getenv));
	}

	private void addStdio(McpServerDefinitionBuilder builder, McpServerProperties values,
			Map<String, String> fromFile) {
		ServerPackage of = ServerPackage.of(values);
		List<String> words = new ArrayList<>();
		if (of != null) {
			words.addAll(of.commandLine(values, this.runtimes));
		}
		else if (values.command() != null) {
			words.add(values.command());
			words.addAll(Objects.requireNonNullElse(values.args(), List.of()));
		}
		if (words.isEmpty() || !StringUtils.hasText(words.get(0))) {
			return;
		}
		Map<String, String> env = new LinkedHashMap<>(fromFile);
		env.putAll(values.env());
		builder.command(words.get(0))
			.packageName((of != null) ? of.kind() + ":" + of.name() : null)
			.args(words.subList(1, words.size()))
			.env(env)
			.workingDirectory(path(values.workingDirectory()));
	}

	/**
	 * Reads a url, its scheme in lower case so that {@code HTTPS} is not taken for
	 * another one than {@code https}. Returns {@code null} if it cannot be read.
	 */
	static @Nullable URI url(String url) {
		int scheme = url.indexOf(':') + 1;
		try {
			return new URI(url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme));
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	private static @Nullable Path path(@Nullable String path) {
		try {
			return StringUtils.hasText(path) ? Path.of(path) : null;
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Returns a value with lists where the binder made maps with the numbers from 0. A
	 * file has an empty object as an empty text.
	 */
	private static Object withLists(Object value, boolean top) {
		if (!(value instanceof Map<?, ?> node)) {
			return (top && "".equals(value)) ? Map.of() : value;
		}
		Map<String, Object> map = new LinkedHashMap<>();
		node.forEach((name, child) -> map.put(String.valueOf(name), withLists(child, false)));
		List<Object> items = new ArrayList<>();
		for (Object item = map.get("0"); item != null; item = map.get(Integer.toString(items.size()))) {
			items.add(item);
		}
		return (items.size() == map.size() && !items.isEmpty()) ? items : map;
	}

}
