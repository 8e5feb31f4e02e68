package io.github.mcpclient.integration.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tools that are injected by name, whether or not they are there.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamedToolsTests {

	private static final String NOBODY = "http://localhost:9/mcp";

	private static final McpTool OWN = mock();

	private final McpTestServer server = McpTestServer.create().tools("echo").start();

	private final McpTestServer other = McpTestServer.create().tools("echo").start();

	private @Nullable ClientApplication application;

	@Test
	void aToolOfAServerThatWasNeverConnectedIsNotAvailable() {
		Injected injected = start(Injected.class, "mcp.servers.a.url=" + NOBODY);
		for (McpTool tool : List.of(injected.lazy, injected.tool)) {
			assertThat(tool.name()).isEqualTo("a_echo");
			assertThat(tool.available()).isFalse();
			assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> tool.call(Map.of()))
				.satisfies((ex) -> assertThat(ex.getServerName()).isEqualTo("a"));
			assertThatExceptionOfType(McpServerUnavailableException.class)
				.isThrownBy(() -> tool.callAsync(Map.of()).block(LIMIT));
		}
	}

	@Test
	void aToolThatItsServerDoesNotHaveIsNotAvailable(CapturedOutput output) {
		Misspelt injected = start(Misspelt.class, "mcp.servers.a.url=" + this.server.url());
		assertThat(injected.tool.available()).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.tool.call(Map.of()))
			.withMessage("No MCP tool 'a_ecko'. Did you mean a_echo?");
		await().untilAsserted(() -> assertThat(output)
			.containsOnlyOnce("injects an MCP tool that does not exist. No MCP tool 'a_ecko'. Did you mean a_echo?"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ListOfTools.class, MapOfTools.class, ArrayOfTools.class })
	void aCollectionOfToolsIsWarnedOfOnce(Class<?> injecting, CapturedOutput output) {
		start(injecting, "mcp.servers.a.url=" + this.server.url());
		assertThat(output).containsOnlyOnce("injects all beans of type McpTool, but no such bean exists yet")
			.contains(injecting.getName() + " injects all beans of type McpTool, but no such bean exists yet")
			.contains("ObjectProvider<McpTool>")
			.contains("McpToolCatalog");
	}

	@Test
	void toolsOfTheApplicationAndLiveOnesAreNotWarnedOf(CapturedOutput output) {
		start(OwnTools.class, "mcp.servers.a.url=" + this.server.url());
		assertThat(output).doesNotContain("injects all beans of type McpTool");
	}

	@Test
	void noneIsMissedOfAServerThatIsNotConnected(CapturedOutput output) {
		Injected injected = start(Injected.class, "mcp.servers.a.url=" + NOBODY,
				"mcp.servers.b.url=" + this.other.url());
		assertThat(injected.tool.available()).isFalse();
		assertThat(output).doesNotContain("injects an MCP tool");
	}

	@Test
	void aToolThatComesLaterIsCalled() {
		Injected injected = start(Injected.class);
		assertThat(injected.tool.available()).isFalse();
		app().manager().add(http("a", this.server).build());
		for (McpTool tool : List.of(injected.lazy, injected.tool)) {
			await().until(tool::available);
			assertThat(tool.call(Map.of("message", "x")).text()).isEqualTo("echo x");
			assertThat(tool.callAsync(Map.of("message", "x")).block(LIMIT).text()).isEqualTo("echo x");
			assertThat(tool.serverName()).isEqualTo("a");
			assertThat(tool.originalName()).isEqualTo("echo");
			assertThat(tool.inputSchema()).isEqualTo(app().tools().get("a_echo").inputSchema());
		}
	}

	@Test
	void aToolStaysThatOfItsServer() {
		Injected injected = start(Injected.class, "mcp.servers.a.url=" + this.server.url());
		assertThat(injected.tool.available()).isTrue();
		app().manager().remove("a");
		app().manager().add(http("b", this.other).toolPrefix("a").build());
		assertThat(app().tools().get("a_echo").available()).isTrue();
		assertThat(injected.tool.available()).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.tool.call(Map.of()));
		assertThat(this.other.calls()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(classes = { OwnByName.class, OwnByQualifier.class })
	void aBeanOfTheApplicationWins(Class<?> own) {
		Injected injected = start(new Class<?>[] { Injected.class, own }, Injected.class,
				"mcp.servers.a.url=" + NOBODY);
		assertThat(injected.tool).isSameAs(OWN);
		assertThat(injected.lazy.call("x")).isNull();
	}

	@Test
	void aToolThatIsOneTooManyForABeanIsInjected() {
		this.server.tools("add", "echo");
		Injected injected = start(Injected.class, "mcp.tools.beans.max=1", "mcp.servers.a.url=" + this.server.url());
		assertThat(app().context().getBeansOfType(McpTool.class)).containsOnlyKeys("a_add");
		assertThat(injected.tool.call(Map.of("message", "1")).text()).isEqualTo("echo 1");
		assertThat(app().tools().get("a_echo").call(Map.of("message", "2")).text()).isEqualTo("echo 2");
		assertThat(app().manager().server("a").excludedTools()).containsExactly(new ExcludedTool("echo",
				"not a bean, though in the catalog: there are as many as mcp.tools.beans.max (1). Raise it, or inject"
						+ " the tool with @Qualifier"));
	}

	@Test
	void aToolIsInjectedWhereToolsAreNoBeans() {
		Injected injected = start(Injected.class, "mcp.tools.beans.enabled=false",
				"mcp.servers.a.url=" + this.server.url());
		assertThat(app().context().getBeansOfType(McpTool.class)).isEmpty();
		assertThat(injected.tool.call(Map.of("message", "1")).text()).isEqualTo("echo 1");
		assertThat(app().tools().get("a_echo").call(Map.of("message", "2")).text()).isEqualTo("echo 2");
		assertThat(app().manager().server("a").excludedTools()).isEmpty();
	}

	@Test
	void whatIsNotRequiredStaysEmpty() {
		NotRequired injected = start(NotRequired.class, "mcp.servers.a.url=" + NOBODY);
		assertThat(injected.optional).isEmpty();
		assertThat(injected.notRequired).isNull();
		assertThat(injected.nullable).isNull();
		assertThat(injected.provider.getIfAvailable()).isNull();
		assertThatExceptionOfType(NoSuchBeanDefinitionException.class).isThrownBy(injected.provider::getObject);
	}

	@Test
	void aPointWithoutAQualifierFails() {
		assertThatExceptionOfType(UnsatisfiedDependencyException.class)
			.isThrownBy(() -> start(Unqualified.class, "mcp.servers.a.url=" + NOBODY));
	}

	@Test
	void aClientThatIsDisabledHasNoTool() {
		Injected injected = start(Injected.class, "mcp.enabled=false");
		assertThat(injected.tool.available()).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.lazy.call(Map.of()))
			.withMessage("No MCP tool 'a_echo': the MCP client is disabled (mcp.enabled is false)");
	}

	@Test
	void anotherBeanFactoryMayTakeTheResolverOver() {
		start(Injected.class);
		DefaultListableBeanFactory copy = new DefaultListableBeanFactory();
		copy.copyConfigurationFrom(app().context().getBeanFactory());
		copy.registerBeanDefinition("injected",
				new RootBeanDefinition(OneTool.class, RootBeanDefinition.AUTOWIRE_CONSTRUCTOR, false));
		assertThat(copy.getBean(OneTool.class).tool().name()).isEqualTo("a_echo");
	}

	@Test
	void aUseConnectsTheServerOfTheToolAndNoOther() {
		Injected injected = start(Injected.class, lazy());
		assertThat(states()).containsExactly(McpServerState.IDLE, McpServerState.IDLE);
		assertThat(injected.lazy.available()).isTrue();
		assertThat(states()).containsExactly(McpServerState.READY, McpServerState.IDLE);
		// and once more after a pause
		app().context().stop();
		app().context().start();
		assertThat(injected.tool.available()).isTrue();
		assertThat(states()).containsExactly(McpServerState.READY, McpServerState.IDLE);
	}

	@Test
	void aCallOnAnEventLoopConnectsTheServerOfTheTool() {
		Injected injected = start(Injected.class, lazy());
		assertThat(Mono.defer(() -> injected.tool.callAsync(Map.of("message", "x")))
			.subscribeOn(Schedulers.parallel())
			.block(LIMIT)
			.text()).isEqualTo("echo x");
		assertThatIllegalStateException()
			.isThrownBy(() -> Mono.fromCallable(() -> injected.tool.call(Map.of()))
				.subscribeOn(Schedulers.parallel())
				.block(LIMIT))
			.withMessageContaining("use callAsync there");
	}

	@Test
	void aLookOnAnEventLoopConnectsTheServerOfTheToolAndDoesNotWait() {
		Injected injected = start(Injected.class, lazy());
		Mono<Boolean> available = Mono.fromCallable(injected.tool::available).subscribeOn(Schedulers.parallel());
		available.block(LIMIT);
		await().until(() -> available.block(LIMIT));
		assertThat(states()).containsExactly(McpServerState.READY, McpServerState.IDLE);
	}

	/**
	 * All first uses would wait for ten minutes.
	 */
	@Test
	void aServerThatHangsKeepsNobodyFromATool() throws IOException {
		ServerSocket silent = closing(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
		List<String> properties = new ArrayList<>(List.of(lazy()));
		properties.addAll(List.of("mcp.startup.wait=10m",
				"mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp",
				"mcp.servers.silent.initialization-timeout=1h"));
		Injected injected = start(Injected.class, properties.toArray(String[]::new));
		assertThat(injected.lazy.call(Map.of("message", "x")).text()).isEqualTo("echo x");
		assertThat(app().text("b_echo", Map.of("message", "y"))).isEqualTo("echo y");
		assertThat(app().tools().find("b_nothing")).isEmpty();
		assertThat(app().tools().select("a_*").find("a_echo")).isPresent();
		assertThat(app().tools().asMap().get("a_echo")).isNotNull();
		await().until(() -> app().state("silent") == McpServerState.CONNECTING);
	}

	private ClientApplication app() {
		assertThat(this.application).isNotNull();
		return this.application;
	}

	private <T> T start(Class<T> type, String... properties) {
		return start(new Class<?>[] { type }, type, properties);
	}

	private <T> T start(Class<?>[] sources, Class<T> type, String... properties) {
		this.application = ClientApplication.start(WebApplicationType.NONE, sources, properties);
		return app().context().getBean(type);
	}

	private String[] lazy() {
		return new String[] { "mcp.startup.mode=lazy", "mcp.servers.a.url=" + this.server.url(),
				"mcp.servers.b.url=" + this.other.url() };
	}

	private List<McpServerState> states() {
		return List.of(app().state("a"), app().state("b"));
	}

	private static McpServerDefinitionBuilder http(String name, McpTestServer server) {
		return McpServerDefinition.http(name, URI.create(server.url()));
	}

	static class Injected {

		private final McpTool lazy;

		@Autowired
		@Qualifier("a_echo")
		private McpTool tool;

		Injected(@Lazy @Qualifier("a_echo") McpTool lazy) {
			this.lazy = lazy;
		}

	}

	record OneTool(@Qualifier("a_echo") McpTool tool) {
	}

	static class ListOfTools {

		ListOfTools(List<McpTool> tools) {
			assertThat(tools).isEmpty();
		}

	}

	static class MapOfTools {

		@Autowired(required = false)
		Map<String, ? extends McpTool> tools;

	}

	static class ArrayOfTools {

		@Bean
		Object user(McpTool[] tools) {
			return tools;
		}

	}

	static class OwnTools {

		@Bean
		McpTool own() {
			return OWN;
		}

		@Bean
		Object user(List<McpTool> tools, ObjectProvider<McpTool> live, Map<String, String> others) {
			assertThat(tools).containsExactly(OWN);
			return tools;
		}

	}

	static class Misspelt {

		@Autowired
		@Qualifier("a_ecko")
		private McpTool tool;

	}

	static class NotRequired {

		private final Optional<McpTool> optional;

		private final @Nullable McpTool nullable;

		private final ObjectProvider<McpTool> provider;

		@Autowired(required = false)
		@Qualifier("a_echo")
		private @Nullable McpTool notRequired;

		NotRequired(@Qualifier("a_echo") Optional<McpTool> optional, @Qualifier("a_echo") @Nullable McpTool nullable,
				@Qualifier("a_echo") ObjectProvider<McpTool> provider) {
			this.optional = optional;
			this.nullable = nullable;
			this.provider = provider;
		}

	}

	static class Unqualified {

		Unqualified(McpTool tool) {
		}

	}

	static class OwnByName {

		@Bean("a_echo")
		McpTool own() {
			return OWN;
		}

	}

	static class OwnByQualifier {

		@Bean
		@Qualifier("a_echo")
		McpTool own() {
			return OWN;
		}

	}

}
