package io.github.mcpclient.transport.http;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.transport.HeaderSources;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.ResultLimit;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a transport over HTTP is made of.
 *
 * @param definition the server
 * @param http how to reach it; its headers have been validated
 * @param pool the HTTP client, which the transport disposes of
 * @param headers the headers that requests get beside the configured ones
 * @param codec reads and writes messages
 * @param mapper reads what is not a message
 * @param timer delays, and limits times; its tasks do not block
 * @param resultLimit how large the answer to a call may be
 * @param failures words failures
 */
record HttpSetup(McpServerDefinition definition, Http http, HttpPool pool, HeaderSources headers, JsonRpcCodec codec,
		JsonMapper mapper, Scheduler timer, ResultLimit resultLimit, HttpFailures failures) {

	String serverName() {
		return this.definition.name();
	}

	int maxMessageSize() {
		return (int) Math.min(Integer.MAX_VALUE - 16, this.definition.limits().maxMessageSize().toBytes());
	}

}
