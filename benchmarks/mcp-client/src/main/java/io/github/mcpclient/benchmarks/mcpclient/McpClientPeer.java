package io.github.mcpclient.benchmarks.mcpclient;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import javax.net.ssl.TrustManagerFactory;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.benchmarks.client.Peer;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.netty.handler.ssl.SslContextBuilder;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * An application with our starter, and a tool out of its catalog.
 */
public class McpClientPeer implements Peer {

	@Override
	public Client start(List<String> servers) {
		return start(servers, List.of());
	}

	Client start(List<String> servers, List<String> more) {
		ApplicationContext application = run(servers, more);
		McpToolCatalog catalog = application.getBean(McpToolCatalog.class);
		McpModelTools modelTools = application.getBean(McpModelTools.class);
		Supplier<McpTool> echo = SingletonSupplier.of(() -> catalog.get("s0_echo"));
		return new Client() {

			@Override
			public String echo(String message) {
				return echo.get().call(Map.of("message", message, "count", 1)).orThrow().text();
			}

			@Override
			public int tools() {
				return catalog.all().size();
			}

			@Override
			public int search(String query) {
				return modelTools.search(query, 5).size();
			}

			@Override
			public String refuse(String tool) {
				try {
					throw new IllegalStateException("Unexpected " + catalog.get(tool));
				}
				catch (NoSuchMcpToolException ex) {
					return String.valueOf(ex.getMessage());
				}
			}

		};
	}

	static ApplicationContext run(List<String> servers, List<String> more) {
		List<String> arguments = new ArrayList<>(more);
		for (int i = 0; i < servers.size(); i++) {
			String server = servers.get(i);
			if (Peer.isScript(server)) {
				arguments.add("--mcp.servers.s" + i + ".command=sh");
				arguments.add("--mcp.servers.s" + i + ".args=" + server);
			}
			else {
				arguments.add("--mcp.servers.s" + i + ".url=" + server);
			}
		}
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	/**
	 * An application that is nothing but its starter.
	 */
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ConditionalOnProperty("benchmark.http2")
		McpHttpClientCustomizer http2(SslBundles bundles) {
			TrustManagerFactory trust = bundles.getBundle("stub").getManagers().getTrustManagerFactory();
			GenericSslContextSpec<SslContextBuilder> context = Http2SslContextSpec.forClient()
				.configure((builder) -> builder.trustManager(trust));
			return (server, client) -> client.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)
				.secure((spec) -> spec.sslContext(context));
		}

	}

}
