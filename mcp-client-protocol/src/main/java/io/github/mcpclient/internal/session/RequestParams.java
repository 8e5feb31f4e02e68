package io.github.mcpclient.internal.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of requests of a server, which may be malformed, and large, so
 * that reading takes time. Methods fail with an {@link McpError} for the server.
 */
public final class RequestParams {

	private static final int MAX_ELICITATIONS = 10;

	private static final int LONGEST_MESSAGE = 4000;

	private RequestParams() {
	}

	/**
	 * Read a request for sampling. A request that requires the use of tools, which the
	 * types of the SDK lack, is refused.
	 */
	public static CreateMessageRequest sampling(@Nullable Object params, int maxTokens) {
		Map<String, Object> values = object(params);
		if (values.get("tools") != null || values.get("toolChoice") != null) {
			throw invalid("The client does not declare sampling.tools");
		}
		try {
			List<?> items = (List<?>) Objects.requireNonNull(values.get("messages"));
			List<SamplingMessage> messages = items.stream().map(RequestParams::message).toList();
			int tokens = (values.get("maxTokens") instanceof Number number && number.longValue() > 0)
					? (int) Math.min(number.longValue(), maxTokens) : maxTokens;
			values.put("messages", List.of());
			values.put("maxTokens", tokens);
			CreateMessageRequest request = Json.convert(values, CreateMessageRequest.class);
			return new CreateMessageRequest(messages, request.modelPreferences(), request.systemPrompt(),
					request.includeContext(), request.temperature(), tokens, request.stopSequences(),
					request.metadata(), request.meta());
		}
		catch (RuntimeException ex) {
			throw invalid("The messages cannot be understood");
		}
	}

	private static SamplingMessage message(Object value) {
		Map<?, ?> message = (Map<?, ?>) value;
		return new SamplingMessage(Json.convert(message.get("role"), Role.class),
				Json.convert(message.get("content"), Content.class));
	}

	/**
	 * Read a request for an elicitation.
	 */
	public static ElicitRequest elicitation(@Nullable Object params, McpServerDefinition server) {
		Map<String, Object> values = object(params);
		Object mode = values.getOrDefault("mode", ElicitFormRequest.MODE);
		if (ElicitUrlRequest.MODE.equals(mode)) {
			return url(values, server);
		}
		Map<String, Object> schema = Json.objectOrNull(values.get("requestedSchema"));
		if (!ElicitFormRequest.MODE.equals(mode) || schema == null
				|| !(values.get("message") instanceof String message)) {
			throw invalid("The elicitation has no message or no requestedSchema, or an unknown mode");
		}
		return new ElicitFormRequest(Printable.lines(message, LONGEST_MESSAGE), schema,
				Json.objectOrNull(values.get("_meta")));
	}

	static boolean isUrlElicitation(JSONRPCRequest request) {
		return McpSchema.METHOD_ELICITATION_CREATE.equals(request.method())
				&& request.params() instanceof Map<?, ?> params && ElicitUrlRequest.MODE.equals(params.get("mode"));
	}

	/**
	 * Read the elicitations that an error requires, without malformed ones; return
	 * {@code null} for any other error.
	 */
	public static @Nullable List<ElicitUrlRequest> elicitations(JSONRPCError error, McpServerDefinition server) {
		if (error.code() != McpSchema.ErrorCodes.URL_ELICITATION_REQUIRED) {
			return null;
		}
		Object data = error.data();
		List<ElicitUrlRequest> elicitations = new ArrayList<>();
		if (data != null && object(data).get("elicitations") instanceof List<?> items) {
			for (Object item : items.stream().limit(MAX_ELICITATIONS).toList()) {
				try {
					elicitations.add(url(object(item), server));
				}
				catch (McpError ex) {
					// the others may do
				}
			}
		}
		return elicitations;
	}

	// a URL with another scheme may do anything on the machine of the user
	private static ElicitUrlRequest url(Map<String, Object> values, McpServerDefinition server) {
		// from 2026-07-28 on, no notification completes an elicitation by its ID
		if (values.get("message") instanceof String message && values.get("url") instanceof String url
				&& values.getOrDefault("elicitationId", "") instanceof String id
				&& PageUrls.isAcceptable(url, server)) {
			return new ElicitUrlRequest(Printable.line(message, LONGEST_MESSAGE), url, id,
					Json.objectOrNull(values.get("_meta")));
		}
		throw invalid("The elicitation needs a message, and an http or https URL in ASCII that "
				+ "names no user and no host on the user's own machine");
	}

	private static Map<String, Object> object(@Nullable Object params) {
		try {
			return Json.object(Json.convert(params, Map.class));
		}
		catch (RuntimeException ex) {
			throw invalid("The parameters are not an object");
		}
	}

	private static McpError invalid(String message) {
		return error(McpSchema.ErrorCodes.INVALID_PARAMS, message);
	}

	static McpError error(int code, String message) {
		return McpError.builder(code).message(message).build();
	}

}
