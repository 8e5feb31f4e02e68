package io.github.mcpclient.test;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link MockMcpServer} in {@link SpringBootTest}, by tests that run in
 * parallel.
 */
class MockMcpServerTests {

	private static final Set<ApplicationContext> contexts = ConcurrentHashMap.newKeySet();

	private static final List<String> violations = new CopyOnWriteArrayList<>();

	@Test
	void testsShareContextsAndDoNotMeet() {
		Collection<Event> failed = EngineTestKit.engine("junit-jupiter")
			.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
			.configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
			.configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
			.configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
			.selectors(DiscoverySelectors.selectClass(First.class), DiscoverySelectors.selectClass(Second.class),
					DiscoverySelectors.selectClass(Own.class), DiscoverySelectors.selectClass(Child.class))
			.execute()
			.testEvents()
			.failed()
			.list();
		assertThat(failed).isEmpty();
		assertThat(violations).isEmpty();
		// that of the first two, and those of the others
		assertThat(contexts).hasSize(3);
	}

	@SpringBootTest
	@MockMcpServer(name = "search", script = Find.class)
	@MockMcpServer(name = "news")
	@MockMcpServer(name = "local-files")
	abstract static class Shared {

		@Autowired
		Searcher searcher;

		@MockMcpServer(name = "search", script = Find.class)
		McpTestServer search;

		@Autowired
		ApplicationContext context;

		@Test
		void one() {
			search("one");
		}

		@Test
		void two() {
			search("two");
		}

		@Test
		void three() {
			search("three");
		}

		private void search(String answer) {
			contexts.add(this.context);
			this.search.tool("find", McpTestReply.text(answer));
			for (int i = 1; i <= 5; i++) {
				if (!this.searcher.search("x").equals(answer) || this.search.calls("find").size() != i) {
					violations.add(answer + " in " + getClass());
				}
			}
		}

	}

	static class First extends Shared {

	}

	static class Second extends Shared {

	}

	@SpringBootTest
	@MockMcpServer("news")
	@MockMcpServer("local-files")
	static class Own {

		@MockMcpServer
		static final McpTestServer search = McpTestServer.create().tool("find", McpTestReply.text("own"));

		@Test
		void findsItsOwn(@Autowired Searcher searcher, @Autowired ApplicationContext context) {
			contexts.add(context);
			assertThat(searcher.search("x")).isEqualTo("own");
		}

	}

	@SpringBootTest(properties = "mcp.servers.local-files.reconnect.initial-delay=10ms")
	@Execution(ExecutionMode.SAME_THREAD)
	@DirtiesContext
	@MockMcpServer("news")
	@MockMcpServer("search")
	static class Child {

		@MockMcpServer("local-files")
		static final McpTestServer files = McpTestServer.create().tools("read");

		@Test
		void isReplacedInMemory(@Autowired McpServerRegistry registry, @Autowired ApplicationContext context) {
			contexts.add(context);
			assertThat(registry.callTool("local-files_read", Map.of("message", "x")).text()).isEqualTo("read x");
			assertThat(files.connections()).isZero();
			assertThat(files.processes()).isEmpty();
			files.stop();
			await().until(() -> registry.server("local-files").status().state() != McpServerState.READY);
			files.start();
			await().until(() -> registry.server("local-files").status().state() == McpServerState.READY);
		}

	}

	static class Find implements Consumer<McpTestServer> {

		@Override
		public void accept(McpTestServer server) {
			server.tools("find");
		}

	}

}
