package io.github.mcpclient.internal.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool that its calls also have in headers, as its schema declares
 * with {@code x-mcp-header} (MCP 2026-07-28, {@code basic/transports/streamable-http}).
 */
final class ParamHeaders {

	/**
	 * The methods whose requests have the name of their object in a header.
	 */
	static final Set<String> NAMED = Set.of(McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_PROMPT_GET,
			McpSchema.METHOD_RESOURCES_READ, "tasks/get", "tasks/update", "tasks/cancel");

	/**
	 * The beginning of an encoded value.
	 */
	static final String ENCODING = "=?base64?";

	private static final String KEY = "x-mcp-header";

	private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

	private static final Pattern PLAIN = Pattern.compile("(?!\\s)[\\x20-\\x7E\\t]*(?<!\\s)");

	private static final Pattern ENCODED = Pattern.compile("=\\?base64\\?.*\\?=", Pattern.CASE_INSENSITIVE);

	private static final long LARGEST_INTEGER = (1L << 53) - 1;

	// deeper than any schema that a model could fill in
	private static final int MAX_DEPTH = 32;

	private final List<Header> headers = new ArrayList<>();

	private @Nullable String problem;

	private ParamHeaders(Map<?, ?> schema) {
		Set<String> names = new HashSet<>();
		visit(schema, List.of(), true, names);
	}

	/**
	 * Return the headers of a tool that was listed, or {@code null} if it has none.
	 */
	static @Nullable ParamHeaders of(@Nullable Object schema) {
		ParamHeaders headers = (schema instanceof Map<?, ?> map) ? new ParamHeaders(map) : null;
		return (headers == null || headers.headers.isEmpty()) ? null : headers;
	}

	/**
	 * Return why a tool cannot be called because of its headers, or {@code null}.
	 */
	static @Nullable String problem(@Nullable Object schema) {
		return (schema instanceof Map<?, ?> map) ? new ParamHeaders(map).problem : null;
	}

	// reachable: by properties alone
	private void visit(Map<?, ?> schema, List<String> path, boolean reachable, Set<String> names) {
		if (this.problem != null || path.size() > MAX_DEPTH) {
			return;
		}
		Object header = schema.get(KEY);
		if (header != null) {
			add(header, schema.get("type"), path, reachable, names);
		}
		schema.forEach((keyword, value) -> {
			if (keyword.equals("properties") && value instanceof Map<?, ?> properties) {
				properties
					.forEach((name, property) -> visitAny(property, path, String.valueOf(name), reachable, names));
			}
			else if (!keyword.equals("enum") && !keyword.equals("const") && !keyword.equals("default")
					&& !keyword.equals("examples")) {
				visitAny(value, path, "", false, names);
			}
		});
	}

	private void visitAny(@Nullable Object value, List<String> path, String name, boolean reachable,
			Set<String> names) {
		List<String> inner = new ArrayList<>(path);
		inner.add(name);
		if (value instanceof Map<?, ?> map) {
			visit(map, inner, reachable, names);
		}
		else if (value instanceof List<?> list && inner.size() <= MAX_DEPTH) {
			list.forEach((item) -> visitAny(item, inner, "", false, names));
		}
	}

	private void add(Object header, @Nullable Object type, List<String> path, boolean reachable, Set<String> names) {
		if (!(header instanceof String name) || !NAME.matcher(name).matches()) {
			this.problem = "its " + KEY + " is not the name of a header";
		}
		else if (!reachable || path.isEmpty()) {
			this.problem = "its " + KEY + " '" + name + "' is not at a plain property";
		}
		else if (type == null || !TYPES.contains(type)) {
			this.problem = "its " + KEY + " '" + name + "' marks neither a string, nor an integer or a boolean";
		}
		else if (!names.add(name.toLowerCase(Locale.ROOT))) {
			this.problem = "its " + KEY + " '" + name + "' is used twice";
		}
		else {
			this.headers.add(new Header("Mcp-Param-" + name, path));
		}
	}

	void addTo(Map<String, String> headers, @Nullable Object arguments) {
		for (Header header : this.headers) {
			String value = text(header.value(arguments));
			if (value != null) {
				headers.put(header.name, encode(value));
			}
		}
	}

	private static @Nullable String text(@Nullable Object value) {
		if (value instanceof Number number) {
			double plain = number.doubleValue();
			return (plain == Math.rint(plain) && Math.abs(plain) <= LARGEST_INTEGER) ? Long.toString(number.longValue())
					: null;
		}
		return (value instanceof String || value instanceof Boolean) ? value.toString() : null;
	}

	/**
	 * Return a value as it can stand in a header.
	 */
	static String encode(String value) {
		return (PLAIN.matcher(value).matches() && !ENCODED.matcher(value).matches()) ? value
				: ENCODING + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + "?=";
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ParamHeaders that && this.headers.equals(that.headers);
	}

	@Override
	public int hashCode() {
		return this.headers.hashCode();
	}

	private record Header(String name, List<String> path) {

		@Nullable Object value(@Nullable Object arguments) {
			Object value = arguments;
			for (String name : this.path) {
				value = (value instanceof Map<?, ?> map) ? map.get(name) : null;
			}
			return value;
		}

	}

}
