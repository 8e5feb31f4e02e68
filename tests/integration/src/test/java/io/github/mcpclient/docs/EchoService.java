package io.github.mcpclient.docs;

import java.util.Map;

import io.github.mcpclient.McpTool;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

@Service
class EchoService {

	private final McpTool echo;

	EchoService(@Qualifier("everything_echo") McpTool echo) {
		this.echo = echo;
	}

	String echo(String message) {
		return this.echo.call(Map.of("message", message)).orThrow().text();
	}

}
