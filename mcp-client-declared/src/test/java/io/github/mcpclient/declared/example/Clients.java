package io.github.mcpclient.declared.example;

import io.github.mcpclient.declared.ImportMcpToolClients;
import io.github.mcpclient.declared.McpToolClient;

import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ImportMcpToolClients
public class Clients {

	@McpToolClient("nested")
	interface Nested {

		void call();

	}

}
