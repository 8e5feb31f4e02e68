package io.github.mcpclient.auth.oauth2;

import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
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
