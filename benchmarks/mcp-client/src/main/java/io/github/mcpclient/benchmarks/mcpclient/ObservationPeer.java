package io.github.mcpclient.benchmarks.mcpclient;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.benchmarks.client.Peer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ConnectionObserver;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.RequestObserver.ObservedRequest;
import io.github.mcpclient.internal.session.RequestObserver.Protocol;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import reactor.util.context.Context;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationContext;

/**
 * What the auto-configured client observes of a call, without the call.
 */
public class ObservationPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		ApplicationContext application = McpClientPeer.run(servers, List.of());
		ConnectionObserver observer = application.getBean(ConnectionObserver.Source.class)
			.of(McpServerDefinition.http("s0", URI.create(servers.get(0))).build())
			.get(0);
		Call<?> call = Call.tool(CallToolRequest.builder("echo").arguments(Map.of()).build(),
				Call.Options.of(Duration.ofMinutes(1), false));
		CallToolResult result = CallToolResult.builder().addTextContent("echo").isError(false).build();
		JsonNode raw = JsonMapper.shared().readTree("{\"content\": [{\"type\": \"text\", \"text\": \"echo\"}]}");
		AtomicLong id = new AtomicLong();
		Protocol protocol = new Protocol() {

			@Override
			public String version() {
				return "2025-11-25";
			}

			@Override
			public String networkVersion() {
				return "1.1";
			}

		};
		return new Client() {

			@Override
			public String echo(String message) {
				ObservedRequest request = Objects
					.requireNonNull(observer.begin(call, id.incrementAndGet(), protocol, Context.empty()));
				request.meta();
				request.answered(result, raw);
				return "echo " + message;
			}

			@Override
			public int tools() {
				return 0;
			}

		};
	}

}
