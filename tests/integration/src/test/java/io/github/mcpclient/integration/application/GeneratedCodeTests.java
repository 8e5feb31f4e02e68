package io.github.mcpclient.integration.application;

import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.langchain4j.service.tool.search.ToolSearchStrategy;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.agent.McpAgentsAutoConfiguration;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.auth.oauth2.McpOAuth2AutoConfiguration;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.autoconfigure.McpEndpointAutoConfiguration;
import io.github.mcpclient.declared.ImportMcpToolClients;
import io.github.mcpclient.declared.McpDeclaredClientsAutoConfiguration;
import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.guard.McpGuardAutoConfiguration;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.langchain4j.McpLangChain4jAutoConfiguration;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.observation.McpObservationAutoConfiguration;
import io.github.mcpclient.reload.McpReloadAutoConfiguration;
import io.github.mcpclient.springai.McpSpringAiAutoConfiguration;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with all kinds of beans for the client, run with the code that Spring
 * generates ahead of time. The sample, which has a web server, is run with its own.
 */
class GeneratedCodeTests {

	private static final McpTestServer server = McpTestServer.create()
		.tools("echo", "send_mail")
		.tool("ask",
				(request) -> McpTestReply
					.text(request.request("sampling/createMessage", Map.of("messages", List.of(), "maxTokens", 1))
						.get()
						.toString()))
		.start();

	// which beans there are is decided by then; all else is read at the start
	private static final String KNOWN_BEFORE = "mcp.selections.mails=*_mail";

	private static final GenericApplicationContext context = new GenericApplicationContext();

	private static int requestsOfProcessing;

	@BeforeAll
	@SuppressWarnings("unchecked") // what is generated is for any context
	static void start(@TempDir Path folder) throws Exception {
		ClassName initializer = generate(folder);
		requestsOfProcessing = server.requests("initialize").size();
		compile(folder);
		TestPropertyValues
			.of(KNOWN_BEFORE, "test.url=" + server.url(), "mcp.startup.wait=30s", "mcp.servers.a.url=" + server.url(),
					"mcp.servers.a.tools.rules[0].tools=send_mail",
					"mcp.servers.a.tools.rules[0].arguments.tenant=acme")
			.applyTo(context);
		((ApplicationContextInitializer<GenericApplicationContext>) Class.forName(initializer.reflectionName())
			.getDeclaredConstructor()
			.newInstance()).initialize(context);
		context.refresh();
	}

	@AfterAll
	static void stop() {
		context.close();
		server.close();
	}

	private static ClassName generate(Path folder) {
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(KNOWN_BEFORE).applyTo(source);
		source.register(Application.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(GeneratedCodeTests.class)),
				new FileSystemGeneratedFiles((kind) -> folder.resolve(kind.name())));
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		return initializer;
	}

	/**
	 * Compile what was generated, and put each class beside the one that it is for, whose
	 * package it shares.
	 */
	private static void compile(Path folder) throws Exception {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d",
				folder.resolve("CLASS").toString(), "-cp", System.getProperty("java.class.path")));
		files(folder.resolve("SOURCE"), ".java").map(Path::toString).forEach(arguments::add);
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
		for (Path file : files(folder.resolve("CLASS"), ".class").toList()) {
			String name = folder.resolve("CLASS").relativize(file).toString().replace(File.separatorChar, '.');
			Class<?> neighbour = Class.forName(name.replaceFirst("__.*", ""));
			MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(Files.readAllBytes(file));
		}
	}

	private static Stream<Path> files(Path folder, String suffix) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(suffix)).toList().stream();
		}
	}

	@Test
	void processingConnectsToNoServer() {
		assertThat(requestsOfProcessing).isZero();
	}

	@Test
	void serversOfAllKindsAreConnected() {
		assertThat(context.getBean(McpServerRegistry.class).servers())
			.allSatisfy((server) -> assertThat(server.status().state()).isEqualTo(McpServerState.READY))
			.extracting((server) -> server.name())
			.containsExactlyInAnyOrder("a", "bean", "registered");
	}

	@Test
	void toolsAreInjectedByName() {
		Tools tools = context.getBean(Tools.class);
		assertThat(tools.echo().call(Map.of("message", "hello")).text()).isEqualTo("echo hello");
		assertThat(tools.all()).extracting(McpTool::name).contains("a_echo", "bean_echo", "registered_echo");
		assertThat(tools.mails().all()).extracting(McpTool::name)
			.containsExactlyInAnyOrder("a_send_mail", "bean_send_mail", "registered_send_mail");
		assertThat(context.getBean("a_send_mail")).isInstanceOf(McpTool.class);
	}

	@Test
	void bridgesToAgentsHaveTheTools() {
		assertThat(context.getBean(ToolCallbackProvider.class).getToolCallbacks())
			.extracting((tool) -> tool.getToolDefinition().name())
			.contains("a_echo");
		assertThat(context.getBean(ToolSearchStrategy.class)).isNotNull();
	}

	@Test
	void whatCannotBeTriedHereIsThere() {
		assertThat(context.getBean("mcpOAuth2Authorizer")).isInstanceOf(McpAuthorizer.class);
		assertThat(context.getBean(McpServerReloader.class)).isNotNull();
	}

	@Test
	void declaredClientsCall() {
		assertThat(context.getBean(Echo.class).echo("hello")).isEqualTo("echo hello");
	}

	@Test
	void rulesInterceptorsAndCustomizersHold() {
		assertThat(context.getBean(McpToolExecutor.class).execute("a_send_mail", Map.of("message", "hello")).text())
			.isEqualTo("send_mail hello");
		assertThat(server.awaitCall("send_mail").arguments()).containsEntry("tenant", "acme");
		assertThat(context.getBean(Application.class).intercepted).contains("a_send_mail");
		assertThat(server.requests("initialize"))
			.allSatisfy((request) -> assertThat(request.header("X-Customized")).as("header").isNotNull());
	}

	@Test
	void annotatedMethodsAnswerAndListen() {
		assertThat(context.getBean(McpToolCatalog.class).get("a_ask").call(Map.of()).text()).contains("an answer");
		assertThat(context.getBean(Application.class).connected).contains("a");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpDeclaredClientsAutoConfiguration.class,
			McpAgentsAutoConfiguration.class, McpSpringAiAutoConfiguration.class, McpLangChain4jAutoConfiguration.class,
			McpGuardAutoConfiguration.class, McpEndpointAutoConfiguration.class, McpObservationAutoConfiguration.class,
			McpOAuth2AutoConfiguration.class, McpReloadAutoConfiguration.class })
	@ImportMcpToolClients(Echo.class)
	@Import(Registrar.class)
	static class Application {

		private final List<String> intercepted = new CopyOnWriteArrayList<>();

		private final List<String> connected = new CopyOnWriteArrayList<>();

		@Bean
		McpServerDefinition definition(Environment environment) {
			return McpServerDefinition.http("bean", URI.create(environment.getRequiredProperty("test.url"))).build();
		}

		@Bean
		McpServerCustomizer customizer() {
			return (name, builder) -> builder.headers(Map.of("X-Customized", "yes"));
		}

		@Bean
		McpToolInterceptor interceptor() {
			return (tool, request, chain) -> {
				this.intercepted.add(tool.name());
				return chain.proceed(request);
			};
		}

		@Bean
		Tools tools(@Qualifier("a_echo") McpTool echo, ObjectProvider<McpTool> all,
				@Qualifier("mails") McpToolCatalog mails) {
			return new Tools(echo, all, mails);
		}

		@McpSampling(clients = "a")
		CreateMessageResult answer(CreateMessageRequest request) {
			return CreateMessageResult.builder(Role.ASSISTANT, "an answer", "model").build();
		}

		@EventListener
		void changed(McpServerStateChangedEvent event) {
			this.connected.add(event.serverName());
		}

	}

	static class Registrar implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			registry.registerBean("registered", McpServerDefinition.class,
					(spec) -> spec.supplier((context) -> McpServerDefinition
						.http("registered", URI.create(environment.getRequiredProperty("test.url")))
						.build()));
		}

	}

	record Tools(McpTool echo, ObjectProvider<McpTool> all, McpToolCatalog mails) {
	}

	@McpToolClient("a")
	interface Echo {

		String echo(String message);

	}

}
