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

	private static final List<String> OPTIONAL = List.of("capabilities", "serverInfo", "instructions", "_meta");

	private static final int MAX_VERSION = 40;

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
			throw new SessionProtocolException("The server speaks protocol revision "
					+ Printable.line(version, MAX_VERSION) + ", this client " + String.join(", ", known));
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
		String what = "The server's answer to initialize";
		Map<String, Object> answer = new LinkedHashMap<>(Json.object(this.transport, result, what));
		try {
			if (answer.get("capabilities") instanceof Map<?, ?> map) {
				Map<String, Object> capabilities = Json.object(map);
				answer.put("capabilities",
						Json.convert(capabilities, ServerCapabilities.class, List.copyOf(capabilities.keySet())));
			}
			return Json.convert(answer, InitializeResult.class, OPTIONAL);
		}
		catch (RuntimeException ex) {
			throw Json.unreadable(result, what, ex);
		}
	}

}
