package io.github.mcpclient.benchmarks.langchain4j;

import java.util.List;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import io.github.mcpclient.benchmarks.client.Peer;

/**
 * LangChain4j's client over its streamable HTTP transport, for calls to one server.
 */
public class LangChain4jPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		McpClient client = DefaultMcpClient.builder()
			.transport(StreamableHttpMcpTransport.builder().url(servers.get(0)).build())
			.build();
		return new Client() {

			@Override
			public String echo(String message) {
				try {
					return call(message);
				}
				catch (ToolExecutionException ex) {
					// the HTTP client of the JDK loses a response now and then, if its
					// connection is taken again before it left the pool for good
					return call(message);
				}
			}

			private String call(String message) {
				return client
					.executeTool(ToolExecutionRequest.builder()
						.id("1")
						.name("echo")
						.arguments("{\"message\":\"" + message + "\",\"count\":1}")
						.build())
					.resultText();
			}

			@Override
			public int tools() {
				return client.listTools().size();
			}

		};
	}

}
