package io.github.mcpclient.integration.load;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What one of many servers costs, as far as it does not depend on the machine.
 */
class ManyServersTests {

	private static final int NUMBER = 50;

	// five states, requests, tools and attempts: the others come with what they measure
	private static final int METERS = 9;

	@Test
	void oneOfManyServersCostsWhatItTakes() {
		McpTestServer many = closing(McpTestServer.create().tools("a", "b").start());
		McpTestServer one = closing(McpTestServer.create().tools("first").start());
		String[] urls = IntStream.range(0, NUMBER)
			.mapToObj((i) -> "mcp.servers.s" + i + ".url=" + many.url())
			.toArray(String[]::new);
		ClientApplication application = closing(
				ClientApplication.start(Observing.class, append(urls, "mcp.servers.one.url=" + one.url())));
		await().atMost(Duration.ofSeconds(60)).until(() -> application.tools().all().size() == 2 * NUMBER + 1);
		one.awaitListeners(1);
		Observing observing = application.context().getBean(Observing.class);
		List<Meter> meters = application.context().getBean(MeterRegistry.class).getMeters();
		assertThat(meters).filteredOn((meter) -> "s7".equals(meter.getId().getTag("mcp.server"))).hasSize(METERS);
		many.forgetRequests();
		one.forgetRequests();
		observing.changes.clear();
		one.tools("second").notifyToolsListChanged();
		await().atMost(Duration.ofSeconds(60)).until(() -> !observing.changes.isEmpty());
		assertThat(application.tools().get("one_second").available()).isTrue();
		assertThat(one.requests("tools/list")).hasSize(1);
		assertThat(many.requests()).isEmpty();
		assertThat(observing.changes).extracting(McpToolsChangedEvent::serverName).containsExactly("one");
	}

	private static String[] append(String[] all, String last) {
		return IntStream.rangeClosed(0, all.length)
			.mapToObj((i) -> (i < all.length) ? all[i] : last)
			.toArray(String[]::new);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Observing {

		final Queue<McpToolsChangedEvent> changes = new ConcurrentLinkedQueue<>();

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@EventListener
		void changed(McpToolsChangedEvent event) {
			this.changes.add(event);
		}

	}

}
