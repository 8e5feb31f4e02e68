package io.github.mcpclient.migration;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

import org.springframework.util.ResourceUtils;

/**
 * The translation of one document.
 */
final class SpringAiTranslation {

	private static final String UNKNOWN = "not translated: unknown property of Spring AI's client.";

	private static final Set<String> FALSE = Set.of("false", "off", "no", "0");

	// notes on properties without a counterpart
	private static final Map<String, String> OTHERS = Map.of("type",
			"nothing to set: each tool has 'call', which waits, and 'callAsync', which does not.", "name",
			"nothing to set: the client reports spring.application.name.", "version",
			"nothing to set: the client reports spring.application.version.", "rootchangenotification",
			"nothing to set: Spring AI does not read it either. Servers request roots.directories again.",
			"annotationscanner.enabled", "nothing to set: methods with these annotations are called in any case.");

	private final SpringAiDocument document;

	private final SpringAiConnections connections;

	private final Set<String> notes = new LinkedHashSet<>();

	private final Map<String, Object> yaml = new LinkedHashMap<>();

	SpringAiTranslation(SpringAiDocument document, SpringAiConnections connections) {
		this.document = document;
		this.connections = connections;
		document.condition().forEach((name, value) -> put(value, "spring", "config", "activate", name));
		document.values().forEach(this::add);
	}

	String yaml() {
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(FlowStyle.BLOCK);
		options.setSplitLines(false);
		StringBuilder text = new StringBuilder(
				"# Replaces " + SpringAiDocument.PREFIX + " of " + this.document.file() + "\n");
		this.notes.forEach((note) -> text.append("# ").append(note).append('\n'));
		return this.yaml.isEmpty() ? text.toString() : text + new Yaml(options).dump(this.yaml);
	}

	private void add(List<String> name, Object value) {
		if (SpringAiConnections.isOfConnection(name)) {
			String server = this.connections.name(name);
			if (!server.equals(name.get(2))) {
				note(name.subList(0, 3), "its name is '" + server + "' here.");
			}
			addConnection(name, value, key(server));
			return;
		}
		String path = String.join(".", name.stream().map(PropertyNames::uniform).toList());
		switch (path) {
			case "enabled" -> put(value, "mcp", "enabled");
			case "requesttimeout" -> put(value, "mcp", "defaults", "request-timeout");
			case "toolcallback.enabled" -> put(value, "mcp", "spring-ai", "enabled");
			case "initialized" -> addInitialized(name, value.toString());
			case "stdio.serversconfiguration" -> addImport(name, value.toString());
			default -> note(name, OTHERS.getOrDefault(path, UNKNOWN));
		}
	}

	private void addInitialized(List<String> name, String value) {
		if (value.contains("${")) {
			note(name, "not translated: set mcp.startup.mode to 'lazy' if this is false.");
		}
		else {
			put(FALSE.contains(value.toLowerCase(Locale.ROOT)) ? "lazy" : "eager", "mcp", "startup", "mode");
		}
	}

	private void addImport(List<String> name, String value) {
		boolean complete = value.startsWith("${") || ResourceUtils.isUrl(value);
		put("mcp:" + (complete ? value : "classpath:" + value), "spring", "config", "import");
		note(name, "a ${...} in that file is a variable here, and text for Spring AI.");
		if (value.startsWith("${")) {
			note(name, "a value without classpath: or file: is a path here, and on the class path for Spring AI.");
		}
		if (this.document.imports()) {
			note(name, "add it to the existing spring.config.import of this document.");
		}
	}

	private void addConnection(List<String> name, Object value, String server) {
		switch (PropertyNames.uniform(name.get(0)) + "." + PropertyNames.uniform(name.get(3))) {
			case "stdio.command" -> put(value, "mcp", "servers", server, "command");
			case "stdio.args" -> addArgument(name, value, server);
			case "stdio.env" -> addVariable(name, value, server);
			case "sse.url", "sse.sseendpoint" -> {
				put("sse", "mcp", "servers", server, "type");
				addUrl(name, "sse-endpoint", "/sse", server);
			}
			case "streamablehttp.url", "streamablehttp.endpoint" -> addUrl(name, "endpoint", "/mcp", server);
			case "streamablehttp.protocol" -> addProtocol(name, value.toString(), server);
			case "streamablehttp.listen" -> note(name, "nothing to set: changes of lists are listened to in any case.");
			default -> note(name, UNKNOWN);
		}
	}

	@SuppressWarnings("unchecked") // a list, unless the property is a text, too
	private void addArgument(List<String> name, Object value, String server) {
		if (name.size() == 4) {
			put(value, "mcp", "servers", server, "args");
			return;
		}
		if (name.size() > 5 || !name.get(4).matches("\\d{1,3}")) {
			note(name, UNKNOWN);
			return;
		}
		List<Object> args = (List<Object>) map("mcp", "servers", server).computeIfAbsent("args",
				(absent) -> new ArrayList<>());
		int index = Integer.parseInt(name.get(4));
		while (args.size() <= index) {
			args.add("");
		}
		args.set(index, value);
	}

	private void addVariable(List<String> name, Object value, String server) {
		if (name.size() > 4) {
			put(value, "mcp", "servers", server, "env", key(String.join(".", name.subList(4, name.size()))));
		}
		else if (!value.toString().isEmpty()) {
			note(name, UNKNOWN);
		}
	}

	private void addProtocol(List<String> name, String value, String server) {
		if (PropertyNames.uniform(value).equals("modern")) {
			put("modern", "mcp", "servers", server, "protocol");
		}
		else {
			note(name, "not translated: without 'protocol', the client negotiates the protocol version.");
		}
	}

	private void addUrl(List<String> name, String setting, String defaultEndpoint, String server) {
		String url = this.connections.setting(name, "url");
		List<String> ofUrl = List.of(name.get(0), name.get(1), name.get(2), "url");
		if (url == null) {
			note(ofUrl, "it is not in these files. Set " + PropertyNames.ofServer(this.connections.name(name), "url")
					+ " to it, with the endpoint.");
			return;
		}
		Object own = own(name, "url");
		Object endpoint = own(name, setting);
		put(url(ofUrl, (own != null) ? own.toString() : url,
				(endpoint != null) ? endpoint.toString()
						: Objects.requireNonNullElse(this.connections.setting(name, setting), defaultEndpoint)),
				"mcp", "servers", server, "url");
	}

	/**
	 * Return the URL that Spring AI's client for the JDK uses.
	 */
	private String url(List<String> name, String url, String endpoint) {
		String base = url.replaceFirst("/+$", "");
		String joined = base + (endpoint.matches("(?s)[/$].*") ? "" : "/") + endpoint;
		if (joined.contains("${")) {
			note(name, "its value is assumed to have no path, and no / at its end.");
			return joined;
		}
		String resolved = resolve(base.matches("\\w+://[^/]*") ? base + "/" : url, endpoint, joined);
		if (endpoint.startsWith("/") && !resolved.equals(joined)) {
			note(name, "its path is dropped, as by Spring AI's client for the JDK. Spring AI's client for WebFlux "
					+ "retains it and uses " + joined);
		}
		return resolved;
	}

	// as the SDK does it
	private static String resolve(String url, String endpoint, String otherwise) {
		try {
			return URI.create(url).resolve(endpoint).toString();
		}
		catch (IllegalArgumentException ex) {
			return otherwise;
		}
	}

	/**
	 * Return another setting of the same connection in this document.
	 */
	private @Nullable Object own(List<String> name, String setting) {
		return this.document.values()
			.entrySet()
			.stream()
			.filter((entry) -> SpringAiConnections.isOfConnection(entry.getKey())
					&& entry.getKey().subList(0, 3).equals(name.subList(0, 3))
					&& PropertyNames.uniform(entry.getKey().get(3)).equals(PropertyNames.uniform(setting)))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	private void note(List<String> name, String note) {
		this.notes.add(SpringAiDocument.name(name) + ": " + note);
	}

	private void put(Object value, String... path) {
		map(Arrays.copyOf(path, path.length - 1)).put(path[path.length - 1], value);
	}

	@SuppressWarnings("unchecked") // intermediate values are maps
	private Map<String, Object> map(String... path) {
		Map<String, Object> map = this.yaml;
		for (String part : path) {
			map = (Map<String, Object>) map.computeIfAbsent(part, (absent) -> new LinkedHashMap<>());
		}
		return map;
	}

	/**
	 * Return a part of a name as a key of YAML.
	 */
	private static String key(String part) {
		return part.matches("[A-Za-z0-9_-]+") ? part : "[" + part + "]";
	}

}
