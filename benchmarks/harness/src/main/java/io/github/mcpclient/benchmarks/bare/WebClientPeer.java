package io.github.mcpclient.benchmarks.bare;

import java.net.URI;
import java.util.List;
import java.util.Objects;

import io.github.mcpclient.benchmarks.client.Peer;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * A bare POST on {@link WebClient}, over Reactor Netty.
 */
public class WebClientPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		URI uri = URI.create(servers.get(0));
		WebClient http = WebClient.builder()
			.defaultHeaders((headers) -> Messages.HEADERS.forEach(headers::set))
			.build();
		Messages messages = new Messages();
		return new Client() {

			@Override
			public String echo(String message) {
				return Objects.requireNonNull(http.post()
					.uri(uri)
					.bodyValue(messages.echo(message))
					.retrieve()
					.bodyToMono(String.class)
					.block());
			}

			@Override
			public int tools() {
				throw new UnsupportedOperationException("A bare client knows no tools");
			}

		};
	}

}
