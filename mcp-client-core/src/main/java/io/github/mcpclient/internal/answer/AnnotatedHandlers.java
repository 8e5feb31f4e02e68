package io.github.mcpclient.internal.answer;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.NearestNames;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.Assert;

/**
 * The methods of beans with annotations of this library or of Spring AI, which need not
 * be on the class path. The beans are not created before they are called.
 */
final class AnnotatedHandlers {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedHandlers.class);

	private static final String OF_SPRING_AI = "org.springframework.ai.mcp.annotation.";

	// as names, since most applications need no ListenerKind
	private static final List<String> LISTENERS = List.of("McpLogging", "McpProgress", "McpToolListChanged",
			"McpResourceListChanged", "McpPromptListChanged");

	private static final List<String> ANNOTATIONS = Stream
		.concat(Stream.of(McpSampling.class, McpElicitation.class)
			.flatMap((annotation) -> Stream.of(annotation.getName(), OF_SPRING_AI + annotation.getSimpleName())),
				LISTENERS.stream().map(OF_SPRING_AI::concat))
		.toList();

	// the beans of Spring AI's own client
	private static final List<String> CLIENTS_OF_SPRING_AI = List.of("mcpSyncClients", "mcpAsyncClients");

	final List<McpSamplingHandler> sampling = new ArrayList<>();

	final List<McpElicitationHandler> elicitation = new ArrayList<>();

	final Map<ListenerKind, List<BeanMethod>> listeners = new LinkedHashMap<>();

	private final List<BeanMethod> methods = new ArrayList<>();

	private final boolean alone;

	AnnotatedHandlers(ConfigurableListableBeanFactory beanFactory) {
		this.alone = CLIENTS_OF_SPRING_AI.stream().noneMatch(beanFactory::containsBean);
		for (String name : beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null
					: AutoProxyUtils.determineTargetClass(beanFactory, name);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				selectMethods(type).forEach((method, annotations) -> {
					find(beanFactory, name, type, method, annotations, McpSampling.class, CreateMessageRequest.class,
							CreateMessageResult.class, this.sampling::add);
					find(beanFactory, name, type, method, annotations, McpElicitation.class, ElicitRequest.class,
							ElicitResult.class, this.elicitation::add);
					LISTENERS
						.forEach((listener) -> findListener(beanFactory, name, type, method, annotations, listener));
				});
			}
		}
	}

	private void find(ConfigurableListableBeanFactory beanFactory, String bean, Class<?> type, Method method,
			MergedAnnotations annotations, Class<?> annotation, Class<?> request, Class<?> result,
			Consumer<HandlerMethod> consumer) {
		boolean ours = annotations.isPresent(annotation.getName());
		MergedAnnotation<?> present = annotations
			.get(ours ? annotation.getName() : OF_SPRING_AI + annotation.getSimpleName());
		if (!present.isPresent()) {
			return;
		}
		if (takes(method, request) && returns(ResolvableType.forMethodReturnType(method, type), result)) {
			BeanMethod found = new BeanMethod(beanFactory, bean, method, servers(present), ours);
			this.methods.add(found);
			consumer.accept(new HandlerMethod(found));
			return;
		}
		String rule = method + " with @" + annotation.getSimpleName() + " must take a " + request.getSimpleName()
				+ " and, optionally, an McpHandlerContext, and return a " + result.getSimpleName()
				+ " or a Mono of one";
		Assert.state(!ours, rule);
		// Spring AI allows more
		logger.warn("{}: it is not called", rule);
	}

	private void findListener(ConfigurableListableBeanFactory beanFactory, String bean, Class<?> type, Method method,
			MergedAnnotations annotations, String annotation) {
		MergedAnnotation<?> present = annotations.get(OF_SPRING_AI + annotation);
		if (!present.isPresent()) {
			return;
		}
		BeanMethod found = new BeanMethod(beanFactory, bean, method, servers(present), false);
		ListenerKind kind = ListenerKind.of(annotation);
		String problem = kind.problem(found, type);
		if (problem != null) {
			logger.warn(problem);
			return;
		}
		this.methods.add(found);
		this.listeners.computeIfAbsent(kind, (key) -> new ArrayList<>()).add(found);
	}

	private static Set<String> servers(MergedAnnotation<?> annotation) {
		return Set.copyOf(List.of(annotation.getStringArray("clients")));
	}

	/**
	 * Warn of names for which there is no server. Spring AI's annotations may name Spring
	 * AI's clients, if there are any.
	 */
	void warnOfUnknown(Set<String> servers) {
		for (BeanMethod method : this.methods) {
			method.servers()
				.stream()
				.filter((name) -> (method.ours() || this.alone) && !servers.contains(name))
				.forEach((name) -> {
					List<String> nearest = NearestNames.of(name, servers);
					logger.warn("{} names MCP server '{}', which does not exist.{}", method, name,
							nearest.isEmpty() ? "" : " Did you mean " + String.join(" or ", nearest) + "?");
				});
		}
	}

	private static boolean takes(Method method, Class<?> request) {
		List<Class<?>> others = Stream.of(method.getParameterTypes())
			.filter((parameter) -> !request.isAssignableFrom(parameter))
			.toList();
		return others.size() == method.getParameterCount() - 1
				&& (others.isEmpty() || others.equals(List.of(McpHandlerContext.class)));
	}

	private static boolean returns(ResolvableType returned, Class<?> result) {
		Class<?> type = (returned.resolve() == Mono.class) ? returned.resolveGeneric() : returned.resolve();
		return type != null && result.isAssignableFrom(type);
	}

	private static Map<Method, MergedAnnotations> selectMethods(Class<?> type) {
		// inspect each method once for all annotations: applications have many methods
		MetadataLookup<@Nullable MergedAnnotations> handlers = (method) -> {
			MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
			return ANNOTATIONS.stream().anyMatch(annotations::isPresent) ? annotations : null;
		};
		try {
			return MethodIntrospector.selectMethods(type, handlers);
		}
		catch (IllegalStateException | LinkageError ex) {
			// a type that a method needs is missing, which is allowed for a lazy bean
			return Map.of();
		}
	}

	private record HandlerMethod(BeanMethod method) implements McpSamplingHandler, McpElicitationHandler {

		@Override
		public boolean supports(McpServerDefinition server) {
			return this.method.isFor(server.name());
		}

		@Override
		public Set<Mode> modes() {
			List<Class<?>> parameters = this.method.parameters().toList();
			return parameters.contains(ElicitFormRequest.class) ? EnumSet.of(Mode.FORM)
					: parameters.contains(ElicitUrlRequest.class) ? EnumSet.of(Mode.URL) : EnumSet.allOf(Mode.class);
		}

		@Override
		public CreateMessageResult createMessage(CreateMessageRequest request, McpHandlerContext context) {
			return (CreateMessageResult) invoke(request, context);
		}

		@Override
		public ElicitResult elicit(ElicitRequest request, McpHandlerContext context) {
			return (ElicitResult) invoke(request, context);
		}

		@SuppressWarnings("NullAway") // who calls handlers refuses null
		private Object invoke(Object request, McpHandlerContext context) {
			Object result = this.method
				.invoke(this.method.parameters().map((type) -> type.isInstance(request) ? request : context).toArray());
			Context caller = (context.caller() != null) ? Context.of(context.caller()) : Context.empty();
			return (result instanceof Mono<?> mono) ? mono.contextWrite(CallerContext.withThread(caller)).block()
					: result;
		}

	}

}
