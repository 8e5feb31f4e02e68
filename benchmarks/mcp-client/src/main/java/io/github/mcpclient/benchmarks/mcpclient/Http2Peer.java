package io.github.mcpclient.benchmarks.mcpclient;

import java.util.List;

import io.github.mcpclient.benchmarks.client.Peer;

/**
 * The same application with HTTP/2, by a customizer, to a server whose certificate it
 * trusts by an SSL bundle.
 */
public class Http2Peer implements Peer {

	@Override
	public Client start(List<String> servers) {
		String[] server = servers.get(0).split("#");
		return new McpClientPeer().start(List.of(server[0]),
				List.of("--benchmark.http2=true", "--spring.ssl.bundle.pem.stub.truststore.certificate=" + server[1]));
	}

}
