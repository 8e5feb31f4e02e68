package io.github.mcpclient.observation;

import java.util.HashMap;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * What is observed of one request to an MCP server. The carrier is what is added to the
 * {@code _meta} of the request when the observation starts, such as {@code traceparent}.
 * What a server or the application said is sanitized, bounded and without configured
 * secrets, except in {@link #getRequest()} and {@link #getResult()}.
 */
public class McpClientObservationContext extends SenderContext<Map<String, String>> {

	private final McpServerDefinition server;

	private final String method;

	private final String requestId;

	private @Nullable Object request;

	private @Nullable Object result;

	private @Nullable String protocolVersion;

	private @Nullable String target;

	private @Nullable String targetTag;

	private @Nullable String errorType;

	private @Nullable String statusCode;

	private @Nullable String arguments;

	private @Nullable String resultText;

	/**
	 * Creates a context.
	 * @param server the definition of the server
	 * @param method the JSON-RPC method, such as {@code tools/call}
	 * @param requestId the JSON-RPC id of the request
	 */
	public McpClientObservationContext(McpServerDefinition server, String method, String requestId) {
		super((carrier, key, value) -> {
			if (carrier != null) {
				carrier.put(key, value);
			}
		}, Kind.CLIENT);
		this.server = server;
		this.method = method;
		this.requestId = requestId;
		setCarrier(new HashMap<>());
	}

	/**
	 * Returns the definition of the server, which may have secrets.
	 * @return the definition
	 */
	public McpServerDefinition getServer() {
		return this.server;
	}

	/**
	 * Returns the JSON-RPC method.
	 * @return the method, such as {@code tools/call}
	 */
	public String getMethod() {
		return this.method;
	}

	/**
	 * Returns the JSON-RPC id of the request, which a repetition does not share.
	 * @return the id
	 */
	public String getRequestId() {
		return this.requestId;
	}

	/**
	 * Returns the parameters of the request as they are.
	 * @return a type of the SDK, such as {@code CallToolRequest}, a map, or {@code null}
	 */
	public @Nullable Object getRequest() {
		return this.request;
	}

	void setRequest(@Nullable Object request) {
		this.request = request;
	}

	/**
	 * Returns the result as it is.
	 * @return a type of the SDK, such as {@code CallToolResult}, a map, or {@code null}
	 * without a result
	 */
	public @Nullable Object getResult() {
		return this.result;
	}

	void setResult(Object result) {
		this.result = result;
	}

	/**
	 * Returns the negotiated revision of the protocol.
	 * @return the revision, or {@code null} until {@code initialize} is answered
	 */
	public @Nullable String getProtocolVersion() {
		return this.protocolVersion;
	}

	void setProtocolVersion(@Nullable String protocolVersion) {
		this.protocolVersion = protocolVersion;
	}

	/**
	 * Returns the name of the tool or prompt, or the URI of the resource.
	 * @return the name or URI, or {@code null} for requests that have none
	 */
	public @Nullable String getTarget() {
		return this.target;
	}

	/**
	 * Returns the name of the tool or prompt, as far as it may be the value of a tag.
	 * @return the name of a tool of the server, or of a prompt that it knows;
	 * {@code other} where it is neither, or there are too many; {@code null} for other
	 * requests
	 */
	public @Nullable String getTargetTag() {
		return this.targetTag;
	}

	void setTarget(@Nullable String target, @Nullable String tag) {
		this.target = target;
		this.targetTag = tag;
	}

	/**
	 * Returns how the request failed: {@code tool_error}, a JSON-RPC error code, a status
	 * of HTTP, {@code timeout}, {@code cancelled}, {@code connection}, {@code protocol},
	 * {@code result_too_large} or {@code _OTHER}.
	 * @return the type, or {@code null} if it did not fail or has not ended
	 */
	public @Nullable String getErrorType() {
		return this.errorType;
	}

	/**
	 * Returns the JSON-RPC error code.
	 * @return the code, or {@code null} if the server did not answer with an error
	 */
	public @Nullable String getStatusCode() {
		return this.statusCode;
	}

	void setError(String type, @Nullable String statusCode) {
		this.errorType = type;
		this.statusCode = statusCode;
	}

	/**
	 * Returns the beginning of the arguments of a tool call, as JSON.
	 * @return the arguments, or {@code null} if {@code mcp.observations} leaves them out
	 */
	public @Nullable String getArguments() {
		return this.arguments;
	}

	void setArguments(String arguments) {
		this.arguments = arguments;
	}

	/**
	 * Returns the beginning of the result of a tool call that did not fail, as JSON.
	 * @return the result, or {@code null} if {@code mcp.observations} leaves it out
	 */
	public @Nullable String getResultText() {
		return this.resultText;
	}

	void setResultText(String resultText) {
		this.resultText = resultText;
	}

}
