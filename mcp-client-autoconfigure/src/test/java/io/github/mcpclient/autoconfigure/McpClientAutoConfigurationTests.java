package io.github.mcpclient.autoconfigure;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.actuate.FakeMcpServerRegistry;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.util.context.ContextView;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link McpClientAutoConfiguration}.
 */
class McpClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("management.endpoints.web.exposure.include=mcp");

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
			.contains(McpClientAutoConfiguration.class.getName());
	}

	@Test
	void allIsThereWithoutAnyServer() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(McpServerRegistry.class)
				.hasSingleBean(McpToolCatalog.class)
				.hasBean("mcpEndpoint")
				.hasBean("mcpHealthContributor")
				.hasBean("mcpInfoContributor");
			assertThat(context.getBean(McpServerRegistry.class).servers()).isEmpty();
			assertThat(context.getBean(McpToolCatalog.class))
				.isSameAs(context.getBean(McpServerRegistry.class).tools());
		});
	}

	@Test
	void selectionsAreBeansByQualifier() {
		this.runner.withUserConfiguration(Agents.class)
			.withPropertyValues("mcp.selections.librarian=library_*, !library_write*", "mcp.selections.my-agent[0]=*")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				McpToolCatalog all = context.getBean("mcpToolCatalog", McpToolCatalog.class);
				assertThat(all).isSameAs(context.getBean(McpServerRegistry.class).tools());
				Agents agents = context.getBean(Agents.class);
				assertThat(agents.all).isSameAs(all);
				assertThat(agents.any.getObject()).isSameAs(all);
				assertThat(agents.any.stream()).containsExactly(all);
				assertThat(agents.librarian).isNotSameAs(all).isSameAs(context.getBean("mcpSelection.librarian"));
				assertThat(agents.myAgent).isNotSameAs(agents.librarian);
				assertThat(context.getBean(McpToolCatalog.class)).isSameAs(all);
				assertThat(context).hasBean("librarian");
				assertThatIllegalArgumentException().isThrownBy(() -> all.selection("nobody"))
					.withMessageEndingWith("Configured: librarian, my-agent.");
			});
	}

	@Test
	void aSelectionNeedsAPattern() {
		this.runner.withPropertyValues("mcp.selections.librarian=")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidMcpConfigurationException.class,
						(ex) -> assertThat(ex.getProblems()).singleElement()
							.extracting(Problem::property)
							.isEqualTo("mcp.selections.librarian")));
	}

	@Test
	void anSslBundleThatDoesNotExistIsAMistake() {
		this.runner.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withBean("mcpOAuth2Authorizer", McpAuthorizer.class, () -> (request) -> Mono.empty())
			.withPropertyValues("spring.ssl.bundle.jks.internal.truststore.type=PKCS12",
					"mcp.servers.a.url=https://localhost:9/mcp", "mcp.servers.a.ssl.bundle=internl",
					"mcp.servers.a.auth.oauth2.private-key-bundle=other", "mcp.servers.a.auth.oauth2.dpop=true",
					"mcp.servers.a.auth.oauth2.dpop-key-bundle=another", "mcp.servers.b.url=https://localhost:9/mcp",
					"mcp.servers.b.ssl.bundle=internal", "mcp.servers.c.url=wss://localhost:9/mcp",
					"mcp.servers.off.url=https://localhost:9/mcp", "mcp.servers.off.ssl.bundle=none",
					"mcp.servers.off.enabled=false", "mcp.servers.child.command=java", "mcp.defaults.ssl.bundle=shared")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidMcpConfigurationException.class, (ex) -> assertThat(ex.getProblems())
					.extracting(Problem::property, Problem::message)
					.containsExactlyInAnyOrder(tuple("mcp.servers.a.ssl.bundle",
							"There is no SSL bundle of that name. Did you mean internal? The SSL bundles are internal."),
							tuple("mcp.servers.a.auth.oauth2.dpop-key-bundle",
									"There is no SSL bundle of that name. The SSL bundles are internal."),
							tuple("mcp.servers.a.auth.oauth2.private-key-bundle",
									"There is no SSL bundle of that name. The SSL bundles are internal."),
							tuple("mcp.defaults.ssl.bundle",
									"There is no SSL bundle of that name. The SSL bundles are internal."))));
	}

	@Test
	void anSslBundleOfWhichTheApplicationsHttpClientsKnowIsNone() {
		McpHttpClientFactory own = (definition, connections) -> HttpClient.create(connections);
		this.runner.withBean("own", McpHttpClientFactory.class, () -> own)
			.withPropertyValues("mcp.servers.a.url=https://localhost:9/mcp", "mcp.servers.a.ssl.bundle=own")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatApplicationsInjectIsThereWhenDisabled() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		this.runner.withPropertyValues("mcp.enabled=false", "mcp.servers.broken.url=not a url").run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(McpServerRegistry.class)
				.hasSingleBean(McpToolCatalog.class)
				.hasBean("mcpHealthContributor")
				.hasBean("mcpInfoContributor")
				.doesNotHaveBean(ClientThreads.class)
				.doesNotHaveBean(McpTransportFactory.class)
				.doesNotHaveBean(McpProperties.class);
			assertThat(context.getBean(McpServerRegistry.class).servers()).isEmpty();
			assertThat(context.getBean(McpToolCatalog.class).all()).isEmpty();
			McpEndpoint endpoint = context.getBean(McpEndpoint.class);
			assertThat(JsonMapper.shared().writeValueAsString(endpoint.servers()))
				.isEqualTo("{\"enabled\":false,\"servers\":{}}");
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> thread.getName().startsWith("mcp-"))
				.isSubsetOf(before);
		});
	}

	@Test
	void selectionsAreThereAndEmptyWhenDisabled() {
		this.runner.withPropertyValues("mcp.enabled=false", "mcp.selections.librarian=library_*").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean("mcpSelection.librarian", McpToolCatalog.class).all()).isEmpty();
		});
	}

	@Test
	void whatFailsWhenDisabledSaysSo() {
		this.runner.withPropertyValues("mcp.enabled=false").run((context) -> {
			McpServerManager manager = context.getBean(McpServerManager.class);
			McpServerRegistry registry = context.getBean(McpServerRegistry.class);
			McpServerDefinition definition = McpServerDefinition.stdio("a", "true").build();
			String why = ": the MCP client is disabled (mcp.enabled is false)";
			assertThatIllegalStateException().isThrownBy(() -> manager.add(definition))
				.withMessage("MCP server 'a' cannot be added" + why);
			assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> registry.server("a"))
				.withMessage("No MCP server 'a'" + why);
			assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> manager.replace(definition))
				.withMessage("No MCP server 'a'" + why);
			assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> manager.remove("a"))
				.withMessage("No MCP server 'a'" + why);
			assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> registry.callTool("a_b", Map.of()))
				.withMessage("No MCP tool 'a_b'" + why);
		});
	}

	@Test
	void serversAreToldWhichApplicationTheClientIsPartOf() {
		McpTestServer server = closing(McpTestServer.create().tools("search").start());
		this.runner
			.withPropertyValues("mcp.servers.a.url=" + server.url(), "mcp.servers.a.required=true",
					"spring.application.name=orders", "spring.application.version=3.1")
			.run((context) -> assertThat(server.awaitRequest("initialize").params()).containsEntry("clientInfo",
					Map.of("name", "orders", "version", "3.1")));
	}

	@Test
	void aRegistryOfTheApplicationComesFirst() {
		OwnCatalog catalog = new OwnCatalog();
		FakeMcpServerRegistry own = new FakeMcpServerRegistry() {

			@Override
			public McpToolCatalog tools() {
				return catalog;
			}

		};
		this.runner.withBean("own", McpServerRegistry.class, () -> own).run((context) -> {
			assertThat(context).getBean(McpServerRegistry.class).isSameAs(own);
			assertThat(context).getBean(McpToolCatalog.class).isSameAs(catalog);
			assertThat(context).doesNotHaveBean("mcpServerRegistry").hasBean("mcpHealthContributor");
		});
	}

	@Test
	void aCatalogOfTheApplicationComesFirst() {
		OwnCatalog own = new OwnCatalog();
		this.runner.withBean("own", McpToolCatalog.class, () -> own).run((context) -> {
			assertThat(context).getBean(McpToolCatalog.class).isSameAs(own);
			assertThat(context).doesNotHaveBean("mcpToolCatalog").hasSingleBean(McpServerRegistry.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "mcp.servers.a.command=/does/not/exist", "mcp.servers.a.url=http://localhost:9/mcp" })
	void aFactoryOfTheApplicationReplacesABuiltInType(String server) {
		this.runner.withUserConfiguration(OwnFactories.class).withPropertyValues(server).run((context) -> {
			McpServerStatus status = context.getBean(McpServerRegistry.class).server("a").status();
			assertThat(status.state()).isNotEqualTo(McpServerState.READY);
			assertThat(status.lastError()).contains("made by the application");
		});
	}

	@Test
	void aFactoryOfTheApplicationAddsAType() {
		this.runner.withUserConfiguration(OwnFactories.class)
			.withPropertyValues("mcp.servers.a.type=PIGEON", "mcp.servers.a.url=http://localhost:9/mcp")
			.run((context) -> {
				McpServerStatus status = context.getBean(McpServerRegistry.class).server("a").status();
				assertThat(status.type()).isEqualTo("pigeon");
				assertThat(status.lastError()).contains("made by the application");
			});
	}

	@Test
	void anUnknownTypeFailsTheStart() {
		this.runner.withPropertyValues("mcp.servers.a.type=pigeon", "mcp.servers.a.url=http://localhost:9/mcp")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("mcp.servers.a.type"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.micrometer", "org.springframework.boot.health",
			"org.springframework.boot.actuate,org.springframework.boot.health",
			"io.micrometer,org.springframework.boot.actuate,org.springframework.boot.health" })
	void startsWithoutWhatIsOptional(String packages) {
		this.runner.withClassLoader(new FilteredClassLoader(packages.split(",")))
			.withPropertyValues("mcp.servers.down.url=http://localhost:9/mcp", "mcp.startup.wait=0s")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(McpToolCatalog.class);
				assertThat(context.getBean(McpServerRegistry.class).servers()).extracting(McpServer::name)
					.containsExactly("down");
				boolean health = !packages.contains("boot.health");
				assertThat(context.containsBean("mcpHealthContributor")).isEqualTo(health);
				boolean actuator = !packages.contains("boot.actuate");
				assertThat(context.containsBean("mcpEndpoint")).isEqualTo(actuator);
				assertThat(context.containsBean("mcpInfoContributor")).isEqualTo(actuator);
			});
	}

	// imports by name, as Spring Boot does: conditions are read before a class is loaded
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpEndpointAutoConfiguration.class,
			McpHealthContributorAutoConfiguration.class, McpInfoContributorAutoConfiguration.class })
	static class Application {

	}

	static class OwnFactories {

		@Bean
		McpTransportFactory stdio() {
			return new OwnFactory(McpServerDefinition.STDIO);
		}

		@Bean
		McpTransportFactory http() {
			return new OwnFactory(McpServerDefinition.STREAMABLE_HTTP);
		}

		@Bean
		McpTransportFactory pigeon() {
			return new OwnFactory("pigeon");
		}

	}

	static class Agents {

		@Autowired
		McpToolCatalog all;

		@Autowired
		ObjectProvider<McpToolCatalog> any;

		@Autowired
		@Qualifier("librarian")
		McpToolCatalog librarian;

		@Autowired
		@Qualifier("my-agent")
		McpToolCatalog myAgent;

		// an agent is called as its tools are
		@Bean("librarian")
		Object agent() {
			return new Object();
		}

	}

	record OwnFactory(String type) implements McpTransportFactory {

		@Override
		public Set<String> types() {
			return Set.of(this.type);
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			throw new IllegalStateException("made by the application");
		}

	}

	static class OwnCatalog implements McpToolCatalog {

		@Override
		public McpTool get(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<McpTool> find(String name) {
			return Optional.empty();
		}

		@Override
		public List<McpTool> all() {
			return List.of();
		}

		@Override
		public Map<String, McpTool> asMap() {
			return Map.of();
		}

		@Override
		public McpToolCatalog select(String... patterns) {
			return this;
		}

		@Override
		public McpTool get(String name, ContextView context) {
			return get(name);
		}

		@Override
		public McpToolCatalog forCaller() {
			return this;
		}

		@Override
		public Mono<McpToolCatalog> forCallerAsync() {
			return Mono.just(this);
		}

		@Override
		public McpToolCatalog selection(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Iterator<McpTool> iterator() {
			return all().iterator();
		}

	}

}
