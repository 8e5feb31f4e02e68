package io.github.mcpclient.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpTransport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reads the answer to {@code initialize}. A capability that cannot be understood is one
 * that the server does not have.
 */
final class HandshakeReader {

	private static final Log logger = LogFactory.getLog(HandshakeReader.class);

	private static final TypeRef<InitializeResult> RESULT = new TypeRef<>() {
	};

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final int EXCERPT = 200;

	private final McpTransport transport;

	HandshakeReader(McpTransport transport) {
		this.transport = transport;
	}

	InitializeResult read(Object result) {
		InitializeResult answer = bind(result);
		List<String> known = this.transport.protocolVersions();
		String version = answer.protocolVersion();
		if (version.isEmpty()) {
			throw new SessionProtocolException("The server's answer to initialize names no protocol revision");
		}
		if (!known.contains(version)) {
			throw new SessionProtocolException("The server speaks protocol revision " + Printable.line(version, 40)
					+ ", this client " + String.join(", ", known));
		}
		return answer;
	}

	private InitializeResult bind(Object result) {
		try {
			InitializeResult bound = this.transport.unmarshalFrom(result, RESULT);
			if (bound != null) {
				return bound;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("An answer to initialize is not well-formed", ex);
		}
		return bindLeniently(result);
	}

	private InitializeResult bindLeniently(Object result) {
		try {
			Map<String, Object> answer = new LinkedHashMap<>(this.transport.unmarshalFrom(result, OBJECT));
			if (answer.get("capabilities") instanceof Map<?, ?> capabilities) {
				Map<String, Object> value = new LinkedHashMap<>();
				capabilities.forEach((name, capability) -> value.put(String.valueOf(name), capability));
				answer.put("capabilities", Json.convert(value, ServerCapabilities.class, List.copyOf(value.keySet())));
			}
			return Json.convert(answer, InitializeResult.class,
					List.of("capabilities", "serverInfo", "instructions", "_meta"));
		}
		catch (RuntimeException ex) {
			throw new SessionProtocolException("The server's answer to initialize cannot be understood: "
					+ Printable.line(String.valueOf(result), EXCERPT), ex);
		}
	}

}
