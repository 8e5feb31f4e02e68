package io.github.mcpclient.config;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.service.McpServerConnectionDetails;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what a server costs to bind, as a share of what a small record costs: what the
 * binder knows of the settings of a server is found out once, not for each server.
 */
class McpServersConfigCostTests {

	private static final int SERVERS = 50;

	private static final int MOST = 60;

	@Test
	void serverCostsLittleMoreThanSmallRecord() {
		ConfigurableEnvironment environment = servers();
		assertThat(cost(() -> new McpServersConfig(environment, List.of(), null, Set.of())))
			.isLessThan(MOST * costOfSmallRecords());
	}

	@Test
	void serverThatIsElsewhereCostsLittleMoreThanSmallRecord() {
		ConfigurableEnvironment environment = servers();
		List<McpServerConnectionDetails> connections = new ArrayList<>();
		for (int i = 0; i < SERVERS; i++) {
			connections.add(new Elsewhere("s" + i, URI.create("http://localhost:" + (1000 + i))));
		}
		assertThat(cost(() -> new McpServersConfig(environment, connections, null, Set.of())))
			.isLessThan(MOST * costOfSmallRecords());
	}

	private static ConfigurableEnvironment servers() {
		Map<String, Object> servers = new LinkedHashMap<>();
		for (int i = 0; i < SERVERS; i++) {
			servers.put("mcp.servers.s" + i + ".url", "https://a.example/" + i);
		}
		return new TestEnvironment().arguments(servers).environment();
	}

	private static long costOfSmallRecords() {
		return cost(() -> {
			for (int i = 0; i < SERVERS; i++) {
				new Binder(new MapConfigurationPropertySource(Map.of("a.url", "https://a.example/" + i))).bind("a",
						Small.class);
			}
		});
	}

	/**
	 * Return the least processor time of several runs.
	 */
	private static long cost(Runnable work) {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 30; i++) {
			long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			work.run();
			least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
		}
		return least;
	}

	private record Elsewhere(String getName, URI getUrl) implements McpServerConnectionDetails {
	}

	private record Small(String url, Integer count, Duration timeout, List<String> items, Boolean enabled) {
	}

}
