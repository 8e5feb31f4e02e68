package io.github.mcpclient.benchmarks.bare;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import io.github.mcpclient.benchmarks.client.Peer;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * A bare POST on Reactor Netty's {@link HttpClient}.
 */
public class ReactorNettyPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		URI uri = URI.create(servers.get(0));
		HttpClient http = HttpClient.create().headers((headers) -> Messages.HEADERS.forEach(headers::set));
		Messages messages = new Messages();
		return new Client() {

			@Override
			public String echo(String message) {
				return Objects.requireNonNull(post(http, uri, messages.echo(message))
					.responseSingle((response, content) -> content.asString(StandardCharsets.UTF_8))
					.block());
			}

			@Override
			public int tools() {
				throw new UnsupportedOperationException("A bare client knows no tools");
			}

		};
	}

	static HttpClient.ResponseReceiver<?> post(HttpClient http, URI uri, String message) {
		byte[] body = message.getBytes(StandardCharsets.UTF_8);
		return http.post().uri(uri).send((request, outbound) -> {
			request.header(HttpHeaderNames.CONTENT_LENGTH, String.valueOf(body.length));
			return outbound.send(Mono.just(Unpooled.wrappedBuffer(body)));
		});
	}

}
