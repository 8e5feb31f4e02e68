package io.github.mcpclient.integration.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.test.server.McpTestTransport;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ForwardProxy;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.Test;
import reactor.netty.transport.ProxyProvider;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What applications bring along: transports of others, and changes to the HTTP client.
 */
class OpenToOthersTests {

	// its transports know the SDK's interface only, as those that an application writes
	private static final McpTestServer memory = McpTestServer.create().tools("hello").start();

	@Test
	void aTransportOfTheApplication() {
		ClientApplication application = start(InMemory.class, "mcp.servers.mem.type=In_Memory");
		InMemory factory = application.context().getBean(InMemory.class);
		McpServerStatus status = application.registry().server("mem").status();
		assertThat(status.lastError()).isNull();
		assertThat(status.state()).isEqualTo(McpServerState.READY);
		assertThat(status.type()).isEqualTo("in-memory");
		assertThat(application.text("mem_hello", Map.of("message", "x"))).isEqualTo("hello x");
		assertThat(factory.transports()).hasSize(1);
		assertThat(factory.definitions().get(0).name()).isEqualTo("mem");
	}

	@Test
	void aTransportOfTheApplicationThatBreaksIsReplaced() {
		ClientApplication application = start(InMemory.class, "mcp.servers.mem.type=in-memory",
				"mcp.servers.mem.reconnect.initial-delay=10ms");
		assertThat(application.text("mem_hello", Map.of("message", "x"))).isEqualTo("hello x");
		InMemory factory = application.context().getBean(InMemory.class);
		memory.onNext("POST", McpTestReply.status(503));
		// the tool says that it only reads, so that the call is repeated
		assertThat(application.text("mem_hello", Map.of("message", "y"))).isEqualTo("hello y");
		await().until(() -> application.state("mem") == McpServerState.READY && factory.transports().size() == 2);
		// the server has left it open
		assertThat(factory.transports().get(0).hasEnded()).isTrue();
		assertThat(application.text("mem_hello", Map.of("message", "z"))).isEqualTo("hello z");
	}

	@Test
	void theTransportOfTheSdk() {
		McpTestServer server = McpTestServer.create().tools("hello").start();
		afterTest(server::close);
		ClientApplication application = start(SdkHttp.class, "mcp.servers.sdk.type=sdk-http",
				"mcp.servers.sdk.url=" + server.url(), "mcp.servers.sdk.reconnect.initial-delay=10ms",
				"mcp.servers.sdk.reconnect.max-delay=200ms");
		assertThat(application.registry().server("sdk").status().lastError()).isNull();
		assertThat(application.text("sdk_hello", Map.of("message", "x"))).isEqualTo("hello x");
		assertThat(application.registry().server("sdk").status().type()).isEqualTo("sdk-http");
		server.stop();
		// such a transport tells of its end when it is to send something
		assertThatExceptionOfType(McpException.class)
			.isThrownBy(() -> application.registry().callTool("sdk_hello", Map.of("message", "y")));
		await().until(() -> application.state("sdk") != McpServerState.READY);
		server.start();
		await().until(() -> application.state("sdk") == McpServerState.READY);
		assertThat(application.text("sdk_hello", Map.of("message", "z"))).isEqualTo("hello z");
	}

	@Test
	void aFactoryOfTheApplicationReplacesABuiltInType() {
		ClientApplication application = start(InMemoryForHttp.class, "mcp.servers.a.type=http",
				"mcp.servers.a.url=http://localhost:1/mcp");
		assertThat(application.text("a_hello", Map.of("message", "x"))).isEqualTo("hello x");
	}

	@Test
	void customizersChangeTheHttpClientOfEachServerInTheirOrder() {
		McpTestServer one = closing(McpTestServer.create().tools("hello").start());
		McpTestServer two = closing(McpTestServer.create().tools("hello").start());
		ClientApplication application = start(Customizers.class, "mcp.servers.one.url=" + one.url(),
				"mcp.servers.two.type=sse", "mcp.servers.two.url=" + two.url(),
				"mcp.servers.two.reconnect.enabled=false", "mcp.startup.wait=1s");
		Customizers customizers = application.context().getBean(Customizers.class);
		await().until(() -> application.state("one") == McpServerState.READY);
		assertThat(application.text("one_hello", Map.of("message", "x"))).isEqualTo("hello x");
		await().until(() -> customizers.requests().contains("two GET /mcp"));
		assertThat(customizers.applied()).contains("first one", "second one", "first two", "second two");
		assertThat(customizers.applied().indexOf("first one")).isLessThan(customizers.applied().indexOf("second one"));
		// the path is theirs
		assertThat(customizers.requests()).contains("one POST /mcp", "two GET /mcp");
	}

	@Test
	void aProxyThatACustomizerSets() throws IOException {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ForwardProxy proxy = closing(ForwardProxy.start());
		ClientApplication application = start(Proxied.class, "test.proxy=" + proxy.port(),
				"mcp.servers.a.url=" + server.url());
		assertThat(application.registry().server("a").status().lastError()).isNull();
		for (int i = 0; i < 3; i++) {
			assertThat(application.text("a_hello", Map.of("message", "x" + i))).isEqualTo("hello x" + i);
		}
		assertThat(proxy.targets()).isNotEmpty().containsOnly("localhost:" + server.port());
		proxy.stop();
		// what is under way through it may still pass
		await().untilAsserted(() -> assertThatExceptionOfType(McpException.class)
			.isThrownBy(() -> application.registry().callTool("a_hello", Map.of("message", "y"))));
	}

	@Test
	void aProxyOfTheServer() throws IOException {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ForwardProxy proxy = closing(ForwardProxy.start());
		ClientApplication application = start(NoProxy.class, "mcp.servers.a.proxy.host=localhost",
				"mcp.servers.a.proxy.port=" + proxy.port(), "mcp.servers.a.url=" + server.url(),
				"mcp.servers.b.url=" + server.url());
		assertThat(application.text("a_hello", Map.of("message", "x"))).isEqualTo("hello x");
		assertThat(proxy.targets()).isNotEmpty().containsOnly("localhost:" + server.port());
		proxy.stop();
		assertThatExceptionOfType(McpConnectionException.class)
			.isThrownBy(() -> application.registry().callTool("a_hello", Map.of("message", "y")));
		assertThat(application.text("b_hello", Map.of("message", "z"))).isEqualTo("hello z");
	}

	@Test
	void aProxyThatRefusesIsNamedAsTheCause() throws IOException {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ForwardProxy proxy = closing(ForwardProxy.refusing());
		ClientApplication application = start(Proxied.class, "test.proxy=" + proxy.port(),
				"mcp.servers.a.url=" + server.url());
		McpServerStatus status = application.registry().server("a").status();
		assertThat(status.state()).isNotEqualTo(McpServerState.READY);
		assertThat(status.lastError()).containsIgnoringCase("proxy").contains("407");
		assertThat(server.requests("initialize")).isEmpty();
	}

	private static ClientApplication start(Class<?> configuration, String... properties) {
		return ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { configuration }, properties);
	}

	private static McpTransportFactory factory(String type, Maker maker) {
		return new McpTransportFactory() {

			@Override
			public Set<String> types() {
				return Set.of(type);
			}

			@Override
			public McpClientTransport create(McpServerDefinition definition) {
				return maker.make(definition);
			}

		};
	}

	static class InMemory implements McpTransportFactory {

		private final List<McpTestTransport> transports = new CopyOnWriteArrayList<>();

		private final List<McpServerDefinition> definitions = new CopyOnWriteArrayList<>();

		@Override
		public Set<String> types() {
			return Set.of("in-memory");
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			McpTestTransport transport = memory.transport();
			this.definitions.add(definition);
			this.transports.add(transport);
			return transport;
		}

		List<McpTestTransport> transports() {
			return this.transports;
		}

		List<McpServerDefinition> definitions() {
			return this.definitions;
		}

	}

	static class SdkHttp {

		@Bean
		McpTransportFactory sdkTransportFactory() {
			return factory("sdk-http",
					(definition) -> HttpClientStreamableHttpTransport
						.builder("http://localhost:" + definition.http().url().getPort())
						.jsonMapper(new JacksonMcpJsonMapper(JsonMapper.builder().build()))
						.endpoint("/mcp")
						.build());
		}

	}

	static class InMemoryForHttp {

		@Bean
		McpTransportFactory inMemoryTransportFactory() {
			return factory(McpServerDefinition.STREAMABLE_HTTP, (definition) -> memory.transport());
		}

	}

	@FunctionalInterface
	interface Maker {

		McpClientTransport make(McpServerDefinition definition);

	}

	static class Customizers {

		private final List<String> applied = new CopyOnWriteArrayList<>();

		private final List<String> requests = new CopyOnWriteArrayList<>();

		@Bean
		@Order(2)
		McpHttpClientCustomizer secondCustomizer() {
			return (server, client) -> {
				this.applied.add("second " + server);
				return client.doOnRequest((request, connection) -> this.requests
					.add(server + " " + request.method() + " " + request.uri()));
			};
		}

		@Bean
		@Order(1)
		McpHttpClientCustomizer firstCustomizer() {
			return (server, client) -> {
				this.applied.add("first " + server);
				return client;
			};
		}

		List<String> applied() {
			return new ArrayList<>(this.applied);
		}

		List<String> requests() {
			return this.requests;
		}

	}

	static class NoProxy {

	}

	static class Proxied {

		@Bean
		McpHttpClientCustomizer proxyCustomizer(@Value("${test.proxy}") int port) {
			return (server, client) -> client
				.proxy((proxy) -> proxy.type(ProxyProvider.Proxy.HTTP).host("localhost").port(port));
		}

	}

}
