package io.github.mcpclient.integration.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ForwardProxy;
import io.netty.channel.ChannelOption;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.netty.resources.LoopResources;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.util.StringUtils;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What of an application's HTTP clients holds for those of the servers, too.
 */
class HttpClientSettingsTests {

	private final McpTestServer server = McpTestServer.create()
		.tools("echo")
		.on("POST", McpTestReply.standard().after(Duration.ofMillis(300)))
		.start();

	@Test
	void theConnectTimeoutIsADefaultAndTheReadTimeoutIsNone() {
		ClientApplication application = start(ConnectTimeouts.class, "spring.http.clients.read-timeout=100ms",
				"spring.http.clients.connect-timeout=7s", "mcp.servers.other.url=http://localhost:9/mcp",
				"mcp.servers.other.connect-timeout=3s");
		assertThat(application.state("slow")).isEqualTo(McpServerState.READY);
		assertThat(application.text("slow_echo", Map.of("message", "late"))).isEqualTo("echo late");
		assertThat(application.context().getBean(ConnectTimeouts.class).byServer).containsEntry("slow", 7000)
			.containsEntry("other", 3000);
	}

	@Test
	void theAddressFilterApplies() {
		ClientApplication application = start(Filter.class, "mcp.servers.socket.url=" + this.server.webSocketUrl());
		Awaitility.await().until(() -> application.state("slow"), McpServerState.UNAVAILABLE::equals);
		Awaitility.await().until(() -> application.state("socket"), McpServerState.UNAVAILABLE::equals);
		assertThat(this.server.requests()).isEmpty();
	}

	@Test
	void theAddressFilterAppliesToWhatAProxyIsAskedFor() {
		ForwardProxy proxy = closing(ForwardProxy.start());
		ClientApplication application = start(Filter.class, "mcp.servers.slow.proxy.host=localhost",
				"mcp.servers.slow.proxy.port=" + proxy.port());
		Awaitility.await().until(() -> application.state("slow"), McpServerState.UNAVAILABLE::equals);
		assertThat(application.registry().server("slow").status().lastError()).contains("FilteredHostException");
		assertThat(proxy.targets()).isEmpty();
	}

	@Test
	void otherwiseAProxyResolvesTheNames() {
		ForwardProxy proxy = closing(ForwardProxy.start());
		ClientApplication.start("mcp.servers.far.url=http://known-to-the-proxy.invalid/mcp",
				"mcp.servers.far.proxy.host=localhost", "mcp.servers.far.proxy.port=" + proxy.port(),
				"mcp.servers.far.reconnect.enabled=false");
		assertThat(proxy.targets()).containsOnly("known-to-the-proxy.invalid:80");
	}

	@Test
	void theEventLoopsAreThoseOfTheApplication() throws Exception {
		ClientApplication application = start(Loops.class);
		CompletableFuture<String> thread = new CompletableFuture<>();
		application.tools()
			.get("slow_echo")
			.callAsync(Map.of())
			.doOnTerminate(() -> thread.complete(Thread.currentThread().getName()))
			.block(LIMIT);
		assertThat(thread.get(30, TimeUnit.SECONDS)).startsWith("of-the-application");
	}

	private ClientApplication start(Class<?> configuration, String... properties) {
		return ClientApplication.start(configuration,
				StringUtils.addStringToArray(properties, "mcp.servers.slow.url=" + this.server.url()));
	}

	static class ConnectTimeouts {

		private final Map<String, Object> byServer = new ConcurrentHashMap<>();

		@Bean
		McpHttpClientCustomizer connectTimeouts() {
			return (name, client) -> {
				this.byServer.put(name, client.configuration().options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS));
				return client;
			};
		}

	}

	static class Filter {

		@Bean
		HttpClientSettings httpClientSettings() {
			return HttpClientSettings.defaults().withInetAddressFilter(InetAddressFilter.externalAddresses());
		}

	}

	static class Loops {

		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setLoopResourcesSupplier(() -> LoopResources.create("of-the-application", 1, true));
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

	}

}
