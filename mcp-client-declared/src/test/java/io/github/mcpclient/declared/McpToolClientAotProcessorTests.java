package io.github.mcpclient.declared;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpToolClientAotProcessor}. The sample is run with what is generated.
 */
class McpToolClientAotProcessorTests {

	private static final RuntimeHints HINTS = new RuntimeHints();

	private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();

	@BeforeAll
	static void process() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Application.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), FILES, HINTS);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
	}

	@Test
	void proxiesArePossible() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Weather.class)).accepts(HINTS);
		assertThat(
				RuntimeHintsPredicates.proxies().forInterfaces(AopProxyUtils.completeJdkProxyInterfaces(Weather.class)))
			.accepts(HINTS);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Weather.class, "days")).accepts(HINTS);
	}

	@ParameterizedTest
	@ValueSource(classes = { Request.class, Place.class, Forecast.class, Degrees.class, Item.class })
	void argumentsAndResultsAreBound(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(HINTS);
	}

	@Test
	void theCodeIsBesideTheInterface() {
		Map<String, ?> sources = FILES.getGeneratedFiles(Kind.SOURCE);
		assertThat(sources.keySet()).anyMatch((file) -> file.startsWith("io/github/mcpclient/declared/")
				&& file.contains("McpToolClientAotProcessorTests__"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(Weather.class)
	static class Application {

	}

	record Place(String city) {
	}

	record Request(Place place) {
	}

	record Degrees(int value) {
	}

	record Forecast(List<Degrees> degrees) {
	}

	record Item(String name) {
	}

	@McpToolClient("weather")
	interface Weather {

		Mono<Forecast> forecast(Request request);

		List<Item> items(String city, List<Place> places);

		default int days() {
			return 3;
		}

	}

}
