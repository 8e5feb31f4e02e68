package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.testsupport.AuthSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.javapoet.ClassName;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.AuthorizationGrantType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpOAuth2AutoConfiguration}.
 */
class McpOAuth2AutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(SslAutoConfiguration.class,
			McpClientAutoConfiguration.class, McpOAuth2AutoConfiguration.class);

	private static final String USERS = "mcp.servers.one.auth.oauth2.grant-type=authorization-code";

	private static final String DISABLED = "mcp.servers.one.enabled=false";

	private static final String URL = "mcp.servers.one.url=https://mcp.example/mcp";

	private static final String[] REGISTRATIONS = {
			"spring.security.oauth2.client.registration.user.authorization-grant-type=authorization_code",
			"spring.security.oauth2.client.registration.machine.authorization-grant-type=client_credentials" };

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS);

	@Test
	void whenNoCallIsOnBehalfOfUsersThenSpringSecurityIsLeftAlone() {
		this.servlet.run((context) -> assertThat(context).hasSingleBean(McpAuthorizer.class)
			.doesNotHaveBean(ClientRegistrationRepository.class)
			.doesNotHaveBean(OAuth2AuthorizedClientService.class)
			.doesNotHaveBean(ClientMetadataController.class));
	}

	@Test
	void requestsToAuthorizationServersNameTheApplication() throws IOException {
		try (AuthorizationServerStub server = new AuthorizationServerStub()) {
			server.on("/token", "{\"access_token\": \"t\", \"token_type\": \"Bearer\"}");
			McpServerDefinition definition = McpServerDefinition.http("two", URI.create(server.url() + "/mcp"))
				.auth(AuthSettings.of(Map.of("type", "oauth2", "oauth2.client-id", "c", "oauth2.client-secret", "s",
						"oauth2.token-uri", server.url() + "/token")))
				.build();
			this.servlet.withPropertyValues("spring.application.name=shop")
				.run((context) -> context.getBean(McpAuthorizer.class)
					.authorize(new McpHeadersRequest(definition, "POST", false))
					.block(Duration.ofSeconds(30)));
			assertThat(server.requests("/token")).singleElement()
				.satisfies((request) -> assertThat(request.headers().getFirst("User-Agent")).startsWith("mcp-client/")
					.endsWith(" (shop)"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "mcp.servers.one.auth.oauth2.grant-type=client-credentials",
			"mcp.servers.one.auth.oauth2.grantType=CLIENT_CREDENTIALS",
			"mcp.servers.one.auth.oauth2.grant-type=${GRANT:client-credentials}",
			"mcp.servers.one.auth.oauth2.grant-type=token-exchange",
			"mcp.servers.one.auth.oauth2.grant-type=jwt-bearer",
			"mcp.servers.one.auth.oauth2.grant-type=authorization-code; mcp.servers.one.auth.oauth2.interactive=true",
			"mcp.servers.one.auth.oauth2.grant-type=authorization-code; mcp.servers.one.auth.type=none",
			"mcp.servers.one.auth.oauth2.client-id=me; mcp.defaults.auth.oauth2.grant-type=client-credentials",
			"mcp.servers.one.auth.oauth2.registration-id=machine",
			"mcp.servers.one.auth.oauth2.registration-id=user; mcp.servers.one.auth.oauth2.grant-type=token-exchange",
			"mcp.server.one.auth.oauth2.grant-type=authorization-code" })
	void whenGrantTypeIsNoLoginOfUsersThenSpringSecurityIsLeftAlone(String settings) {
		this.servlet.withPropertyValues(REGISTRATIONS)
			.withPropertyValues(settings.split("; "))
			.withPropertyValues(DISABLED, URL)
			.run((context) -> assertThat(context).hasSingleBean(McpAuthorizer.class)
				.doesNotHaveBean(ClientRegistrationRepository.class)
				.doesNotHaveBean(LoginPageFilter.class)
				.doesNotHaveBean(OAuth2AuthorizationRequestResolver.class)
				.doesNotHaveBean(ClientMetadataController.class));
	}

	@Test
	void whenVariableOverridesLoginThenSpringSecurityIsLeftAlone() {
		this.servlet.withInitializer(variable("MCP_SERVERS_MYSERVER_AUTH_OAUTH2_GRANT_TYPE", "client-credentials"))
			.withPropertyValues("mcp.servers.my-server.auth.oauth2.grant-type=authorization-code",
					"mcp.servers.my-server.enabled=false", "mcp.servers.my-server.url=https://mcp.example/mcp")
			.run((context) -> assertThat(context).hasSingleBean(McpAuthorizer.class)
				.doesNotHaveBean(ClientRegistrationRepository.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mcp.servers.one.auth.oauth2.grant-type=AUTHORIZATION_CODE",
			"mcp.servers.one.auth.oauth2.grant-type=${GRANT:authorization-code}",
			"mcp.servers.one.auth.oauth2.client-id=me; mcp.defaults.auth.oauth2.grant-type=authorization-code",
			"mcp.defaults.auth.oauth2.grantType=authorizationCode", "mcp.servers.one.auth.oauth2.registration-id=user",
			"mcp.servers.one.auth.oauth2.registration-id=of-a-bean",
			"mcp.servers.one.auth.oauth2.registration-id=machine; "
					+ "mcp.servers.one.auth.oauth2.grant-type=authorization-code" })
	void whenGrantTypeIsLoginOfUsersThenFiltersFindWhatTheyNeed(String settings) {
		this.servlet.withPropertyValues(REGISTRATIONS)
			.withPropertyValues(settings.split("; "))
			.withPropertyValues(DISABLED, URL)
			.run((context) -> assertThat(context).hasSingleBean(ClientRegistrationRepository.class)
				.hasSingleBean(LoginPageFilter.class)
				.hasSingleBean(OAuth2AuthorizationRequestResolver.class)
				.hasSingleBean(ClientMetadataController.class));
	}

	@Test
	void whenVariableAsksForLoginOfUsersThenFiltersFindWhatTheyNeed() {
		this.servlet.withInitializer(variable("MCP_SERVERS_MYSERVER_AUTH_OAUTH2_GRANT_TYPE", "authorization-code"))
			.withPropertyValues("mcp.servers.my-server.enabled=false",
					"mcp.servers.my-server.url=https://mcp.example/mcp")
			.run((context) -> assertThat(context).hasSingleBean(ClientRegistrationRepository.class));
	}

	@Test
	void serversOfImportedFilesHaveTheGrantTypeOfTheDefaults(@TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("mcp.json"),
				"{\"mcpServers\": {\"one\": {\"url\": \"https://mcp.example/mcp\", \"disabled\": true, \"oauth\": "
						+ "{\"clientId\": \"me\"}}}}");
		WebApplicationContextRunner importing = this.servlet
			.withInitializer(new ConfigDataApplicationContextInitializer())
			.withPropertyValues("spring.config.import=mcp:" + file);
		importing.withPropertyValues("mcp.defaults.auth.oauth2.grant-type=client-credentials")
			.run((context) -> assertThat(context).hasSingleBean(McpAuthorizer.class)
				.doesNotHaveBean(ClientRegistrationRepository.class));
		importing.withPropertyValues("mcp.servers.one.auth.oauth2.grant-type=authorization-code")
			.run((context) -> assertThat(context).hasSingleBean(ClientRegistrationRepository.class));
	}

	@Test
	void usersOfServersThatCodeDefinesLogInIfTheDefaultsSaySo() {
		WebApplicationContextRunner ofCode = this.servlet.withBean(McpServerDefinition.class,
				() -> McpServerDefinition.http("one", URI.create("https://mcp.example/mcp"))
					.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code")))
					.enabled(false)
					.build());
		ofCode.run((context) -> assertThat(context).hasSingleBean(McpAuthorizer.class)
			.doesNotHaveBean(ClientRegistrationRepository.class));
		ofCode.withPropertyValues("mcp.defaults.auth.oauth2.grant-type=authorization-code")
			.run((context) -> assertThat(context).hasSingleBean(ClientRegistrationRepository.class));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> variable(String name, String value) {
		return (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value)));
	}

	@Test
	void whenSpringSecurityIsMissingThenThereIsNoAuthorizer() {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withClassLoader(new FilteredClassLoader("org.springframework.security", "com.nimbusds"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(McpAuthorizer.class));
	}

	@Test
	void whenCallsAreOnBehalfOfUsersThenFiltersFindWhatTheyNeed() {
		this.servlet.withPropertyValues(USERS, DISABLED, URL)
			.run((context) -> assertThat(context).hasSingleBean(ClientRegistrationRepository.class)
				.hasSingleBean(OAuth2AuthorizedClientService.class)
				.hasSingleBean(OAuth2AuthorizedClientRepository.class)
				.hasSingleBean(OAuth2AuthorizationRequestResolver.class)
				.hasSingleBean(ClientMetadataController.class));
	}

	@Test
	void registrationsOfTheApplicationAreFoundBesideOurs() {
		ClientRegistration github = ClientRegistration.withRegistrationId("github")
			.clientId("client")
			.authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
			.tokenUri("https://as.example/token")
			.build();
		this.servlet
			.withBean(ClientRegistrationRepository.class, () -> new InMemoryClientRegistrationRepository(github))
			.withPropertyValues(USERS, DISABLED, URL)
			.run((context) -> {
				ClientRegistrationRepository repository = context.getBean(ClientRegistrationRepository.class);
				assertThat(repository.findByRegistrationId("github")).isSameAs(github);
				assertThat(repository.findByRegistrationId("other")).isNull();
			});
	}

	@Test
	void aRepositoryThatHasAllRegistrationsIsLeftAlone() {
		WebApplicationContextRunner registered = this.servlet.withPropertyValues(REGISTRATIONS)
			.withBean("own", ClientRegistrationRepository.class, () -> (id) -> null)
			.withPropertyValues("mcp.servers.one.auth.oauth2.registration-id=user", DISABLED, URL);
		registered.run((context) -> {
			assertThat(context).hasSingleBean(LoginPageFilter.class)
				.hasSingleBean(OAuth2AuthorizationRequestResolver.class)
				.getBeanNames(ClientRegistrationRepository.class)
				.containsExactly("own");
			assertThat(reasons(context, "mcpClientRegistrationRepository"))
				.containsExactly("MCP client registrations found repository of all registrations own");
		});
		registered
			.withPropertyValues("mcp.servers.two.auth.oauth2.grant-type=authorization-code",
					"mcp.servers.two.enabled=false", "mcp.servers.two.url=https://two.example/mcp")
			.run((context) -> {
				assertThat(context.getBeansOfType(ClientRegistrationRepository.class)).containsOnlyKeys("own",
						"mcpClientRegistrationRepository");
				assertThat(reasons(context, "mcpClientRegistrationRepository")).containsExactly(
						"MCP client registrations found login without a registration-id by 'mcp.servers.two.auth'");
			});
		new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withBean("own", ReactiveClientRegistrationRepository.class, () -> (id) -> Mono.empty())
			.withPropertyValues("mcp.servers.one.auth.oauth2.registration-id=user", DISABLED, URL)
			.run((context) -> assertThat(context).hasSingleBean(LoginPageWebFilter.class)
				.getBeanNames(ReactiveClientRegistrationRepository.class)
				.containsExactly("own"));
	}

	@Test
	void theReportSaysWhetherUsersLogIn() {
		this.servlet.withPropertyValues("mcp.servers.one.auth.oauth2.grant-type=client-credentials", DISABLED, URL)
			.run((context) -> assertThat(reasons(context, "mcpClientMetadataController")).contains(
					"MCP logins of users no mcp.servers.<name>.auth.oauth2 has grant-type authorization-code, or a"
							+ " registration-id for that grant"));
		this.servlet.withPropertyValues(USERS, DISABLED, URL)
			.run((context) -> assertThat(reasons(context, "mcpClientMetadataController"))
				.contains("MCP logins of users found login by 'mcp.servers.one.auth'"));
	}

	private static List<String> reasons(ApplicationContext context, String bean) {
		ConditionEvaluationReport report = ConditionEvaluationReport
			.get((ConfigurableListableBeanFactory) context.getAutowireCapableBeanFactory());
		return report.getConditionAndOutcomesBySource()
			.entrySet()
			.stream()
			.filter((source) -> source.getKey().endsWith("#" + bean))
			.flatMap((source) -> source.getValue().stream())
			.map((one) -> one.getOutcome().getMessage())
			.toList();
	}

	@Test
	void whenTheApplicationIsReactiveThenItsFiltersFindWhatTheyNeed() {
		new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues(USERS, DISABLED, URL)
			.run((context) -> assertThat(context).hasSingleBean(ReactiveClientRegistrationRepository.class)
				.hasSingleBean(ServerOAuth2AuthorizationRequestResolver.class)
				.doesNotHaveBean(ClientRegistrationRepository.class));
	}

	@Test
	void loginsInFilesAreBoundInNativeImages() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Application.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TokenFile.Login.class)
			.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(TokenFile.Login.class, "refreshToken"))
			.accepts(hints);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpOAuth2AutoConfiguration.class })
	static class Application {

	}

}
