package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Optional;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.agent.McpAgents;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.internal.support.ClientThreads;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The tools of a catalog as models get them.
 */
final class TestModels {

	private TestModels() {
	}

	static McpModelTools of(McpToolCatalog catalog, int searchThreshold) {
		ClientThreads threads = new ClientThreads();
		afterTest(threads::dispose);
		McpAgents agents = new McpAgents(searchThreshold);
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("threads", threads);
		agents.setBeanFactory(beans);
		return agents.modelTools(new Registry(catalog));
	}

	/**
	 * A registry of the servers that list tools.
	 */
	private record Registry(McpToolCatalog tools) implements McpServerRegistry {

		@Override
		public List<McpServer> servers() {
			return List.of();
		}

		@Override
		public McpServer server(String name) {
			return find(name).orElseThrow();
		}

		@Override
		public Optional<McpServer> find(String name) {
			McpServer server = mock();
			given(server.definition()).willReturn(TestTools.server(name));
			return this.tools.all().stream().anyMatch((tool) -> tool.serverName().equals(name)) ? Optional.of(server)
					: Optional.empty();
		}

	}

}
