package io.github.mcpclient.test.server;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares the headers of a request with its body, as the stateless protocol requires.
 */
final class HeaderCheck {

	private static final Set<String> NAMED = Set.of("tools/call", "prompts/get", "resources/read", "tasks/get",
			"tasks/update", "tasks/cancel");

	private final McpTestRequest request;

	private final List<String> mismatches = new ArrayList<>();

	private HeaderCheck(McpTestRequest request) {
		this.request = request;
	}

	/**
	 * Return the first mismatch of the headers, or {@code null} if all headers match.
	 */
	static @Nullable String mismatch(McpTestRequest request, String version, Contents contents) {
		HeaderCheck check = new HeaderCheck(request);
		check.compare("MCP-Protocol-Version", request.header("MCP-Protocol-Version"), version);
		check.compare("Mcp-Method", request.header("Mcp-Method"), request.method());
		if (NAMED.contains(request.method())) {
			check.compare("Mcp-Name", check.decoded("Mcp-Name"), request.name());
		}
		if (request.method().equals("tools/call")) {
			check.parameters(contents.tools().definition(request.name()).path("inputSchema"),
					request.message().path("params").path("arguments"));
		}
		return check.mismatches.isEmpty() ? null : check.mismatches.get(0);
	}

	private void parameters(JsonNode schema, JsonNode arguments) {
		schema.path("properties").properties().forEach((property) -> {
			JsonNode argument = arguments.path(property.getKey());
			JsonNode header = property.getValue().path("x-mcp-header");
			if (header.isString()) {
				String name = "Mcp-Param-" + header.asString();
				String value = decoded(name);
				if (!argument.isIntegralNumber() || !isNumber(value, argument)) {
					compare(name, value, (argument.isMissingNode() || argument.isNull()) ? null : text(argument));
				}
			}
			parameters(property.getValue(), argument);
		});
	}

	private void compare(String header, @Nullable String value, @Nullable String expected) {
		if (!Objects.equals(value, expected)) {
			this.mismatches.add(header + " header value '" + value + "' does not match body value '" + expected + "'");
		}
	}

	private static String text(JsonNode argument) {
		return argument.isValueNode() ? argument.asString() : argument.toString();
	}

	private static boolean isNumber(@Nullable String value, JsonNode number) {
		try {
			return value != null && new BigDecimal(value).compareTo(number.decimalValue()) == 0;
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

	/**
	 * Return a header value, decoded if it is Base64.
	 */
	private @Nullable String decoded(String header) {
		String value = this.request.header(header);
		if (value == null || !value.startsWith("=?base64?") || !value.endsWith("?=")) {
			boolean plain = value == null || value.chars().allMatch((c) -> c == '\t' || (c >= ' ' && c <= '~'));
			return plain ? value : "(not ASCII)";
		}
		try {
			byte[] bytes = Base64.getDecoder().decode(value.substring("=?base64?".length(), value.length() - 2));
			return new String(bytes, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return "(not Base64)";
		}
	}

}
