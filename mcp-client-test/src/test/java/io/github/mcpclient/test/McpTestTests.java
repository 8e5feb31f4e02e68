package io.github.mcpclient.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link McpTest} and {@link MockMcpServer}.
 */
@McpTest
@MockMcpServer(name = "news", script = McpTestTests.News.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class McpTestTests {

	@MockMcpServer
	static final McpTestServer search = McpTestServer.create()
		.tool("find", (request) -> McpTestReply.text("found " + request.argument("query")))
		.tool("secret", McpTestReply.text("not for you"));

	@MockMcpServer("not-configured")
	McpTestServer another;

	@Autowired
	@Qualifier("news")
	McpTestServer news;

	@Autowired
	McpToolCatalog tools;

	@Autowired
	McpServerRegistry registry;

	@Autowired
	McpServerManager manager;

	@Autowired
	ApplicationContext context;

	@Test
	void replacesAndAddsServersAndDisablesTheOthers() {
		assertThat(this.registry.servers()).extracting(McpServer::status)
			.extracting(McpServerStatus::name, McpServerStatus::type, McpServerStatus::state)
			.contains(tuple("search", "streamable-http", McpServerState.READY),
					tuple("local-files", "stdio", McpServerState.DISABLED), tuple("news", "sse", McpServerState.READY),
					tuple("not-configured", "streamable-http", McpServerState.READY));
		assertThat(this.tools.asMap()).containsOnlyKeys("search_find", "news_latest");
		assertThat(this.tools.get("news_latest").call(Map.of()).text()).isEqualTo("Nothing new");
		assertThat(this.another.sessions()).hasSize(1);
		assertThat(this.context.getBeansOfType(Searcher.class)).isEmpty();
	}

	@Test
	void writesAClientForAServer(@TempDir Path sources) throws IOException {
		Path file = McpToolClientWriter.write(this.manager.server("search"), "com.example.search", sources);
		assertThat(file).isEqualTo(sources.resolve("com/example/search/Search.java"))
			.content()
			.startsWith("package com.example.search;\n\nimport ")
			.contains("@McpToolClient(\"search\")", "String find();")
			.doesNotContain("secret");
		assertThatIllegalStateException()
			.isThrownBy(() -> McpToolClientWriter.write(this.manager.server("local-files"), "com.example", sources))
			.withMessageContaining("MCP server 'local-files', whose tools are not known: it is DISABLED");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> McpToolClientWriter.write(this.manager.server("search"), "../other", sources));
	}

	@Test
	@Order(1)
	void keepsTheSettingsOfAServer() {
		assertThat(this.tools.get("search_find").call(Map.of("query", "x")).text()).isEqualTo("found x");
		assertThat(search).hasReceivedCall("find").hasHeader("Authorization", "Bearer").hasHeader("X-Team", "red");
	}

	@Test
	@Order(2)
	void changesWhatTheServerOffers() {
		search.removeTools("find").tool("guess", McpTestReply.text("maybe"));
		this.manager.server("search").refresh();
		assertThat(this.tools.asMap()).containsOnlyKeys("search_guess", "news_latest");
		search.stop();
		this.news.forgetSessions();
	}

	@Test
	@Order(3)
	void findsEverythingAsItWas() {
		assertThat(this.registry.server("search").status().state()).isEqualTo(McpServerState.READY);
		assertThat(this.tools.asMap()).containsOnlyKeys("search_find", "news_latest");
		assertThat(search.requests()).isEmpty();
		this.tools.get("news_latest").call(Map.of());
		assertThat(this.news).hasReceived("tools/call", 1).hasNotReceived("initialize");
	}

	@Nested
	class Inside {

		@Autowired
		ApplicationContext nestedContext;

		@Test
		void hasTheSameContext() {
			assertThat(this.nestedContext).isSameAs(McpTestTests.this.context);
		}

	}

	static class News implements Consumer<McpTestServer> {

		@Override
		public void accept(McpTestServer server) {
			server.tool("latest", McpTestReply.text("Nothing new"));
		}

	}

}
