package io.github.mcpclient.transport;

import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import reactor.core.publisher.Mono;

/**
 * Headers that HTTP requests get beside the configured ones. Safe for use by many
 * threads.
 */
public interface McpRequestHeaders {

	/**
	 * No headers.
	 */
	McpRequestHeaders NONE = new McpRequestHeaders() {

		@Override
		public boolean isEmpty() {
			return true;
		}

		@Override
		public Mono<Map<String, String>> get(McpServerDefinition definition, String method) {
			return Mono.just(Map.of());
		}

	};

	/**
	 * Return whether there are none, whatever the request.
	 * @return whether there is no need to ask
	 */
	boolean isEmpty();

	/**
	 * Return the headers of a request; those of a caller where its Reactor context has
	 * some.
	 * @param definition the server
	 * @param method the HTTP method
	 * @return names and values, not checked yet
	 */
	Mono<Map<String, String>> get(McpServerDefinition definition, String method);

}
