package io.github.mcpclient.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many servers of an application that come and go, over real connections.
 */
class FlappingTests {

	private static final int SERVERS = 40;

	private static final Duration LONG = Duration.ofSeconds(60);

	private final List<McpTestServer> servers = new ArrayList<>();

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@AfterEach
	void close() {
		this.root.detachAppender(this.appender);
		// Each takes a moment
		this.servers.parallelStream().forEach(McpTestServer::close);
	}

	@Test
	void fortyServersThatFlapGetAtMostOneLineAStateChange() {
		List<String> properties = new ArrayList<>(
				List.of("mcp.startup.wait=60s", "mcp.defaults.keep-alive-interval=100ms",
						"mcp.defaults.reconnect.initial-delay=50ms", "mcp.defaults.reconnect.max-delay=500ms"));
		for (int i = 0; i < SERVERS; i++) {
			McpTestServer server = McpTestServer.create().tools("tool").start();
			this.servers.add(server);
			properties.add("mcp.servers.s" + i + ".url=" + server.url());
		}
		try (ClientApplication application = ClientApplication.start(Events.class, properties.toArray(String[]::new))) {
			Events events = application.context().getBean(Events.class);
			await().atMost(LONG).until(() -> allReady(application) && events.atLeast(2));
			events.forget();
			record();
			Disposable flapping = Flux.interval(Duration.ofMillis(20)).onBackpressureDrop().subscribe((i) -> {
				int server = (int) (i % SERVERS);
				disturb(server, this.servers.get(server));
			});
			await().atMost(LONG).until(() -> events.atLeast(4));
			flapping.dispose();
			await().atMost(LONG).until(() -> allReady(application));
			await().atMost(LONG).untilAsserted(() -> {
				for (int i = 0; i < SERVERS; i++) {
					assertThat(lines("MCP server 's" + i + "'")).hasSizeBetween(1, events.of("s" + i));
				}
			});
			// Nor does anybody else tell of it
			assertThat(lines("")).allMatch((line) -> line.startsWith("MCP server 's"));
		}
	}

	private static boolean allReady(ClientApplication application) {
		return application.registry()
			.servers()
			.stream()
			.allMatch((server) -> server.status().state() == McpServerState.READY);
	}

	/**
	 * From the start of the application on, which sets up the log.
	 */
	private void record() {
		this.appender.setContext(this.root.getLoggerContext());
		this.appender.start();
		this.root.addAppender(this.appender);
	}

	/**
	 * Return what an operator sees.
	 */
	private List<String> lines(String part) {
		return List.copyOf(this.appender.list)
			.stream()
			.filter((line) -> line.getLevel().isGreaterOrEqual(Level.INFO))
			.map(ILoggingEvent::getFormattedMessage)
			.filter((line) -> line.contains(part))
			.toList();
	}

	private void disturb(int number, McpTestServer server) {
		switch (number % 3) {
			case 0 -> server.forgetSessions();
			case 1 -> server.onNext("POST", Collections.nCopies(5, McpTestReply.cut()).toArray(McpTestReply[]::new));
			case 2 -> {
				// a refused ping alone is no loss
				server.forgetSessions();
				server.onNext("POST", Collections.nCopies(5, McpTestReply.status(503)).toArray(McpTestReply[]::new));
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Events {

		private final Map<String, Integer> counts = new ConcurrentHashMap<>();

		@EventListener
		void stateChanged(McpServerStateChangedEvent event) {
			this.counts.merge(event.status().name(), 1, Integer::sum);
		}

		void forget() {
			this.counts.clear();
		}

		int of(String server) {
			return this.counts.getOrDefault(server, 0);
		}

		boolean atLeast(int events) {
			return this.counts.size() == SERVERS && this.counts.values().stream().allMatch((count) -> count >= events);
		}

	}

}
