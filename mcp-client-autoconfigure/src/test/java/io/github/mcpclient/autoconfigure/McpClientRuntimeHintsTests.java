package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;
import io.github.mcpclient.actuate.McpServerDescriptor;
import io.github.mcpclient.actuate.McpServerDetailsDescriptor;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServerProperties;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolRule;
import io.modelcontextprotocol.spec.McpSchema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the hints that processing ahead of time finds in our auto-configurations.
 */
class McpClientRuntimeHintsTests {

	private static final RuntimeHints HINTS = new RuntimeHints();

	@BeforeAll
	static void process() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of("management.endpoints.web.exposure.include=mcp").applyTo(context);
		context.register(Application.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles(),
				HINTS);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
	}

	@ParameterizedTest
	@ValueSource(classes = { McpSchema.InitializeRequest.class, McpSchema.InitializeResult.class,
			McpSchema.ServerCapabilities.ToolCapabilities.class, McpSchema.Tool.class, McpSchema.ToolAnnotations.class,
			McpSchema.CallToolRequest.class, McpSchema.CallToolResult.class, McpSchema.TextContent.class,
			McpSchema.ImageContent.class, McpSchema.AudioContent.class, McpSchema.ResourceLink.class,
			McpSchema.EmbeddedResource.class, McpSchema.TextResourceContents.class,
			McpSchema.BlobResourceContents.class, McpSchema.JSONRPCRequest.class, McpSchema.JSONRPCNotification.class,
			McpSchema.JSONRPCResponse.class, McpSchema.JSONRPCResponse.JSONRPCError.class })
	void messagesAreBound(Class<?> type) {
		assertIsBound(type);
	}

	@ParameterizedTest
	@ValueSource(classes = { McpEndpoint.ServersDescriptor.class, McpServerDescriptor.class,
			McpServerDescriptor.ServerInfo.class, McpServerDetailsDescriptor.class,
			McpServerDetailsDescriptor.ToolView.class, McpServerDescriptor.Excluded.class,
			McpServerDefinition.Timeouts.class, McpServerDefinition.Reconnect.class, McpServerDefinition.Sampling.class,
			McpEndpoint.ActionDescriptor.class, McpEndpointWebExtension.ProblemDescriptor.class })
	void answersOfTheEndpointAreWritten(Class<?> type) {
		assertIsBound(type);
	}

	@Test
	void definitionsAreWritten() throws ClassNotFoundException {
		String view = McpServerDescriptor.class.getPackageName() + ".DefinitionView";
		assertIsBound(Class.forName(view));
		assertIsBound(Class.forName(view + "$HttpView"));
	}

	@ParameterizedTest
	@ValueSource(classes = { McpServerProperties.class, McpServerProperties.Tools.class,
			McpServerProperties.Reconnect.class, McpServerProperties.Auth.class, McpServerProperties.OAuth2.class,
			McpProperties.Startup.class, McpProperties.Tools.class, McpProperties.Import.class })
	void propertiesAreInstantiated(Class<?> type) throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]))
			.accepts(HINTS);
	}

	@Test
	void versionThatRequestsNameIsThere() {
		assertThat(RuntimeHintsPredicates.resource()
			.forResource("io/github/mcpclient/internal/transport/http/version.txt")).accepts(HINTS);
	}

	@Test
	void propertiesOfModulesAreFound() {
		assertThat(RuntimeHintsPredicates.resource()
			.forResource("META-INF/spring/" + McpProperties.class.getName() + ".imports")).accepts(HINTS);
	}

	@Test
	void propertiesAreBound() {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(McpServerProperties.class, "url"))
			.accepts(HINTS);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(McpServerProperties.Tools.class, "max"))
			.accepts(HINTS);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(McpServerProperties.OAuth2.class, "scopes"))
			.accepts(HINTS);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(McpToolRule.Rate.class, "of")).accepts(HINTS);
	}

	private static void assertIsBound(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).as("constructors").accepts(HINTS);
		String accessor = type.getRecordComponents()[0].getName();
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(type, accessor)).as(accessor).accepts(HINTS);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpEndpointAutoConfiguration.class,
			McpHealthContributorAutoConfiguration.class, McpInfoContributorAutoConfiguration.class })
	static class Application {

	}

}
