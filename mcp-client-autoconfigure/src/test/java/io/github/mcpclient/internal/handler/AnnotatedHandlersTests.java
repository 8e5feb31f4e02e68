package io.github.mcpclient.internal.handler;

import java.net.URI;
import java.util.Collection;
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
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.ai.mcp.annotation.McpLogging;
import org.springframework.ai.mcp.annotation.McpProgress;
import org.springframework.ai.mcp.annotation.McpPromptListChanged;
import org.springframework.ai.mcp.annotation.McpResourceListChanged;
import org.springframework.ai.mcp.annotation.McpToolListChanged;
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

	@Test
	void listenersOfSpringAiAreFound(CapturedOutput output) {
		this.beans.registerBean(Listeners.class);
		Map<ListenerKind, List<BeanMethod>> listeners = handlers().listeners;
		assertThat(listeners).containsOnlyKeys(ListenerKind.values());
		assertThat(listeners.get(ListenerKind.LOGGING)).hasSize(2);
		assertThat(listeners.get(ListenerKind.PROGRESS)).hasSize(3);
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aMethodThatCannotListenIsWarnedOfOnce(CapturedOutput output) {
		this.beans.registerBean(NoListeners.class);
		assertThat(handlers().listeners).isEmpty();
		List<String> warnings = output.getOut().lines().filter((line) -> line.contains("WARN")).toList();
		assertThat(warnings).hasSize(6)
			.allSatisfy((line) -> assertThat(line)
				.containsPattern("NoListeners\\.[a-z]+\\(.*it is not called\\. Correct it"))
			.anySatisfy((line) -> assertThat(line).contains("NoListeners.log(")
				.endsWith(" with @McpLogging must take a"
						+ " LoggingMessageNotification, or a LoggingLevel, the logger and the data, and return nothing or a"
						+ " Mono: it is not called. Correct it, or use an @EventListener for McpLogMessageEvent instead."))
			.anySatisfy((line) -> assertThat(line).contains("NoListeners.resources(", "McpResourcesChangedEvent"));
	}

	@Test
	void aNameMayBeOfAClientOfSpringAi(CapturedOutput output) {
		this.beans.registerBean(OfSpringAi.class);
		this.beans.registerBean("mcpSyncClients", List.class, () -> List.of());
		handlers().warnOfUnknown(Set.of("weather"));
		assertThat(output).doesNotContain("WARN");
		this.beans.removeBeanDefinition("mcpSyncClients");
		handlers().warnOfUnknown(Set.of("weather"));
		assertThat(output).contains("WARN").contains("names MCP server 'maps', which does not exist");
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

	static class Listeners {

		@McpLogging(clients = {})
		void log(LoggingMessageNotification message) {
		}

		@McpLogging(clients = "weather")
		Mono<Void> log(LoggingLevel level, String logger, String data) {
			return Mono.empty();
		}

		@McpProgress(clients = "weather")
		void progress(ProgressNotification progress) {
		}

		@McpProgress(clients = "weather")
		void progress(double progress, String token, String total) {
		}

		@McpProgress(clients = "weather")
		void progress(Double progress, String token, String total) {
		}

		@McpToolListChanged(clients = "weather")
		void tools(List<Tool> tools) {
		}

		@McpResourceListChanged(clients = "weather")
		void resources(Collection<?> resources) {
		}

		@McpPromptListChanged(clients = "weather")
		@SuppressWarnings("rawtypes")
		void prompts(List prompts) {
		}

	}

	static class NoListeners {

		@McpLogging(clients = "weather")
		void log(String data) {
		}

		@McpLogging(clients = "weather")
		String result(LoggingMessageNotification message) {
			return "";
		}

		@McpProgress(clients = "weather")
		void progress(LoggingLevel level, String logger, String data) {
		}

		@McpToolListChanged(clients = "weather")
		void tools(List<String> tools) {
		}

		@McpResourceListChanged(clients = "weather")
		void resources() {
		}

		@McpPromptListChanged(clients = "weather")
		void prompts(Object prompts) {
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
