package io.github.mcpclient.benchmarks.bare;

import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.Objects;

import io.github.mcpclient.benchmarks.client.Peer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.netty.handler.ssl.SslContextBuilder;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The POST of {@link ReactorNettyPeer} with an answer that is parsed and bound to the
 * type of the MCP SDK, which is what its caller needs in any case.
 */
public class ReadingPeer implements Peer {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final ObjectReader RESULT = MAPPER.readerFor(CallToolResult.class);

	@Override
	public Client start(List<String> servers) {
		String[] server = servers.get(0).split("#");
		URI uri = URI.create(server[0]);
		HttpClient http = ((server.length > 1) ? secure(new File(server[1])) : HttpClient.create())
			.headers((headers) -> Messages.HEADERS.forEach(headers::set));
		Messages messages = new Messages();
		return new Client() {

			@Override
			public String echo(String message) {
				return Objects.requireNonNull(ReactorNettyPeer.post(http, uri, messages.echo(message))
					.responseSingle((response, content) -> content.asByteArray())
					.map(ReadingPeer::read)
					.block());
			}

			@Override
			public int tools() {
				throw new UnsupportedOperationException("A bare client knows no tools");
			}

		};
	}

	private static HttpClient secure(File certificate) {
		GenericSslContextSpec<SslContextBuilder> context = Http2SslContextSpec.forClient()
			.configure((builder) -> builder.trustManager(certificate));
		return HttpClient.create()
			.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)
			.secure((spec) -> spec.sslContext(context));
	}

	private static String read(byte[] answer) {
		CallToolResult result = RESULT.readValue(MAPPER.readTree(answer).path("result"));
		return ((TextContent) result.content().get(0)).text();
	}

}
