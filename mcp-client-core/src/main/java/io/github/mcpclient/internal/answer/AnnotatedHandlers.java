package io.github.mcpclient.internal.answer;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
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
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * The methods of beans with our annotations or those of Spring AI, which need not be on
 * the class path. The beans are not created before they are called.
 */
final class AnnotatedHandlers {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedHandlers.class);

	private static final String OF_SPRING_AI = "org.springframework.ai.mcp.annotation.";

	private static final List<String> ANNOTATIONS = Stream.of(McpSampling.class, McpElicitation.class)
		.flatMap((annotation) -> Stream.of(annotation.getName(), OF_SPRING_AI + annotation.getSimpleName()))
		.toList();

	final List<McpSamplingHandler> sampling = new ArrayList<>();

	final List<McpElicitationHandler> elicitation = new ArrayList<>();

	AnnotatedHandlers(ConfigurableListableBeanFactory beanFactory) {
		for (String name : beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null
					: AutoProxyUtils.determineTargetClass(beanFactory, name);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				selectMethods(type).forEach((method, annotations) -> {
					find(beanFactory, name, type, method, annotations, McpSampling.class, CreateMessageRequest.class,
							CreateMessageResult.class, this.sampling::add);
					find(beanFactory, name, type, method, annotations, McpElicitation.class, ElicitRequest.class,
							ElicitResult.class, this.elicitation::add);
				});
			}
		}
	}

	private static void find(ConfigurableListableBeanFactory beanFactory, String bean, Class<?> type, Method method,
			MergedAnnotations annotations, Class<?> annotation, Class<?> request, Class<?> result,
			Consumer<HandlerMethod> consumer) {
		boolean ours = annotations.isPresent(annotation.getName());
		MergedAnnotation<?> present = annotations
			.get(ours ? annotation.getName() : OF_SPRING_AI + annotation.getSimpleName());
		if (!present.isPresent()) {
			return;
		}
		if (takes(method, request) && returns(ResolvableType.forMethodReturnType(method, type), result)) {
			consumer
				.accept(new HandlerMethod(beanFactory, bean, method, Set.of(present.getStringArray("clients")), ours));
			return;
		}
		String rule = method + " with @" + annotation.getSimpleName() + " must take a " + request.getSimpleName()
				+ " and, optionally, an McpHandlerContext, and return a " + result.getSimpleName()
				+ " or a Mono of one";
		Assert.state(!ours, rule);
		// Spring AI allows more
		logger.warn("{}: it is not called", rule);
	}

	/**
	 * Warn of names for which there is no server. Those of Spring AI's annotations may be
	 * names of its own clients.
	 */
	void warnOfUnknown(Set<String> servers) {
		Stream.concat(this.sampling.stream(), this.elicitation.stream()).forEach((handler) -> {
			HandlerMethod method = (HandlerMethod) handler;
			method.servers.stream().filter((name) -> method.ours && !servers.contains(name)).forEach((name) -> {
				List<String> nearest = NearestNames.of(name, servers);
				logger.warn("{} names MCP server '{}', which does not exist.{}", method.method, name,
						nearest.isEmpty() ? "" : " Did you mean " + String.join(" or ", nearest) + "?");
			});
		});
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
		// one look at each method, whatever may be there: applications have many
		MetadataLookup<@Nullable MergedAnnotations> handlers = (method) -> {
			MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
			return ANNOTATIONS.stream().anyMatch(annotations::isPresent) ? annotations : null;
		};
		try {
			return MethodIntrospector.selectMethods(type, handlers);
		}
		catch (IllegalStateException | LinkageError ex) {
			// a type that one of its methods needs is missing, as that of a lazy bean may
			return Map.of();
		}
	}

	private record HandlerMethod(ConfigurableListableBeanFactory beanFactory, String bean, Method method,
			Set<String> servers, boolean ours) implements McpSamplingHandler, McpElicitationHandler {

		@Override
		public boolean supports(McpServerDefinition server) {
			return this.servers.isEmpty() || this.servers.contains(server.name());
		}

		@Override
		public Set<Mode> modes() {
			List<Class<?>> parameters = List.of(this.method.getParameterTypes());
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
			Object bean = this.beanFactory.getBean(this.bean);
			Method method = AopUtils.selectInvocableMethod(this.method, bean.getClass());
			ReflectionUtils.makeAccessible(method);
			Object result = ReflectionUtils.invokeMethod(method, bean,
					Stream.of(method.getParameterTypes())
						.map((type) -> type.isInstance(request) ? request : context)
						.toArray());
			Context caller = (context.caller() != null) ? Context.of(context.caller()) : Context.empty();
			return (result instanceof Mono<?> mono) ? mono.contextWrite(CallerContext.withThread(caller)).block()
					: result;
		}

	}

}
