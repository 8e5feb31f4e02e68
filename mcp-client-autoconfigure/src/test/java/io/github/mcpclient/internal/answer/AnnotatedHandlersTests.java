package io.github.mcpclient.internal.answer;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpElicitationHandler.Mode;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.ai.mcp.annotation.context.StructuredElicitResult;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class AnnotatedHandlersTests {

	private static final McpServerDefinition weather = definition("weather");

	private static final McpHandlerContext context = new McpHandlerContext(weather, Context.of("user", "alice"), 1);

	private final GenericApplicationContext beans = new GenericApplicationContext();

	@Test
	void ownAnnotations() {
		this.beans.registerBean(Own.class, () -> {
			throw new IllegalStateException("early");
		}, (definition) -> definition.setLazyInit(true));
		AnnotatedHandlers handlers = handlers();
		assertThat(handlers.sampling).singleElement()
			.satisfies((handler) -> assertThat(handler.supports(weather)).isTrue());
		assertThat(handlers.elicitation).hasSize(2)
			.allSatisfy((handler) -> assertThat(handler.supports(weather)).isTrue())
			.allSatisfy((handler) -> assertThat(handler.supports(definition("other"))).isFalse())
			.extracting(McpElicitationHandler::modes)
			.containsExactlyInAnyOrder(Set.of(Mode.FORM), Set.of(Mode.URL));
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> handlers.sampling.get(0).createMessage(request(), context))
			.withStackTraceContaining("early");
	}

	@Test
	void methodsAreCalled() {
		this.beans.registerBean(Own.class, Own::new);
		AnnotatedHandlers handlers = handlers();
		assertThat(handlers.sampling.get(0).createMessage(request(), context).model()).isEqualTo("alice of weather");
		McpElicitationHandler form = handlers.elicitation.stream()
			.filter((handler) -> handler.modes().contains(Mode.FORM))
			.findFirst()
			.orElseThrow();
		assertThat(form.elicit(new ElicitFormRequest("Who?", Map.of(), null), context).action())
			.isEqualTo(Action.DECLINE);
	}

	@Test
	void annotationsOfSpringAi() {
		this.beans.registerBean(OfSpringAi.class, OfSpringAi::new);
		AnnotatedHandlers handlers = handlers();
		McpSamplingHandler sampling = handlers.sampling.get(0);
		assertThat(sampling.supports(weather)).isTrue();
		assertThat(sampling.supports(definition("other"))).isFalse();
		assertThat(sampling.createMessage(request(), context).model()).isEqualTo("ai");
		assertThat(handlers.elicitation.get(0).modes()).containsExactlyInAnyOrder(Mode.FORM, Mode.URL);
		assertThat(handlers.elicitation.get(0).elicit(new ElicitUrlRequest("m", "https://a", "1", null), context))
			.extracting(ElicitResult::action)
			.isEqualTo(Action.CANCEL);
	}

	@ParameterizedTest
	@ValueSource(classes = { OtherParameter.class, NoParameter.class, TwoRequests.class, OtherResult.class,
			OtherMono.class, RawMono.class })
	void methodsAreChecked(Class<?> type) {
		this.beans.registerBean(type);
		assertThatIllegalStateException().isThrownBy(this::handlers)
			.withMessageContaining("sample(")
			.withMessageEndingWith(" with @McpSampling must take a CreateMessageRequest and, optionally, an"
					+ " McpHandlerContext, and return a CreateMessageResult or a Mono of one");
	}

	@Test
	void resultMayBeThatOfAGenericBaseClass() {
		this.beans.registerBean(OfBase.class, OfBase::new);
		assertThat(handlers().sampling.get(0).createMessage(request(), context).model()).isEqualTo("base");
	}

	@Test
	void methodsThatSpringAiAloneUnderstandsAreSkipped(CapturedOutput output) {
		this.beans.registerBean(OnlyOfSpringAi.class);
		assertThat(handlers().elicitation).isEmpty();
		assertThat(output).contains("WARN").contains("OnlyOfSpringAi.elicit(");
	}

	private AnnotatedHandlers handlers() {
		return new AnnotatedHandlers((DefaultListableBeanFactory) this.beans.getBeanFactory());
	}

	private static CreateMessageRequest request() {
		return CreateMessageRequest.builder(List.of(), 5).build();
	}

	private static McpServerDefinition definition(String name) {
		return McpServerDefinition.http(name, URI.create("http://localhost/mcp")).build();
	}

	private static CreateMessageResult result(String model) {
		return CreateMessageResult.builder(Role.ASSISTANT, "text", model).build();
	}

	static class Own {

		@McpSampling
		private Mono<CreateMessageResult> sample(McpHandlerContext context, CreateMessageRequest request) {
			return Mono
				.deferContextual((caller) -> Mono.just(result(caller.get("user") + " of " + context.serverName())));
		}

		@McpElicitation(clients = "weather")
		ElicitResult form(ElicitFormRequest request) {
			return ElicitResult.builder(Action.DECLINE).build();
		}

		@McpElicitation(clients = "weather")
		ElicitResult url(ElicitUrlRequest request) {
			return ElicitResult.builder(Action.CANCEL).build();
		}

	}

	static class OfSpringAi {

		@org.springframework.ai.mcp.annotation.McpSampling(clients = "weather")
		CreateMessageResult sample(CreateMessageRequest request) {
			return result("ai");
		}

		@org.springframework.ai.mcp.annotation.McpElicitation(clients = { "weather", "maps" })
		ElicitResult elicit(ElicitRequest request) {
			return ElicitResult.builder(Action.CANCEL).build();
		}

	}

	abstract static class Base<R> {

		@McpSampling
		R sample(CreateMessageRequest request) {
			return create();
		}

		abstract R create();

	}

	static class OfBase extends Base<CreateMessageResult> {

		@Override
		CreateMessageResult create() {
			return result("base");
		}

	}

	static class OnlyOfSpringAi {

		@org.springframework.ai.mcp.annotation.McpElicitation(clients = "weather")
		StructuredElicitResult<String> elicit(ElicitRequest request) {
			throw new IllegalStateException();
		}

	}

	static class OtherParameter {

		@McpSampling
		CreateMessageResult sample(CreateMessageRequest request, String prompt) {
			return result(prompt);
		}

	}

	static class NoParameter {

		@McpSampling
		CreateMessageResult sample() {
			return result("none");
		}

	}

	static class TwoRequests {

		@McpSampling
		CreateMessageResult sample(CreateMessageRequest request, CreateMessageRequest same) {
			return result("two");
		}

	}

	static class OtherResult {

		@McpSampling
		String sample(CreateMessageRequest request) {
			return "text";
		}

	}

	static class OtherMono {

		@McpSampling
		Mono<String> sample(CreateMessageRequest request) {
			return Mono.just("text");
		}

	}

	static class RawMono {

		@McpSampling
		Mono<?> sample(CreateMessageRequest request) {
			return Mono.just("text");
		}

	}

}
