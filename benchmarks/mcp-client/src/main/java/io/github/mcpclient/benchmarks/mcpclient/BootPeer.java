package io.github.mcpclient.benchmarks.mcpclient;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.benchmarks.client.Peer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/**
 * The same application without the client: what Spring Boot and Actuator cost alone.
 */
public class BootPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		String ours = StreamSupport
			.stream(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).spliterator(), false)
			.filter((name) -> name.startsWith(McpServerRegistry.class.getPackageName()))
			.collect(Collectors.joining(","));
		McpClientPeer.run(List.of(), List.of("--spring.autoconfigure.exclude=" + ours));
		return new Client() {

			@Override
			public String echo(String message) {
				throw new UnsupportedOperationException();
			}

			@Override
			public int tools() {
				return 0;
			}

		};
	}

}
