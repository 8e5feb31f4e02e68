package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.declared.DeclaredTool.DeclaredArgument;
import io.github.mcpclient.internal.support.JsonValues;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.Assert;

/**
 * The roles of the parameters of a method. Immutable.
 *
 * @param arguments the parameters that are single arguments
 * @param whole the type of the one that is all arguments, or {@code null}
 * @param special the indexes of the other parameters by role, including the one that is
 * all arguments
 */
record DeclaredParameters(List<DeclaredArgument> arguments, @Nullable ResolvableType whole,
		Map<Role, Integer> special) {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final ResolvableType LISTENER = ResolvableType.forClassWithGenerics(Consumer.class,
			ProgressNotification.class);

	static DeclaredParameters of(Method method, Class<?> type) {
		Assert.isTrue(!KotlinDetector.isSuspendingFunction(method),
				"it is a suspend function, which is not supported. Return a Mono or a CompletableFuture");
		Map<Role, Integer> special = new LinkedHashMap<>();
		List<MethodParameter> rest = new ArrayList<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i).withContainingClass(type);
			Role role = Role.of(parameter);
			if (role == null) {
				rest.add(parameter);
			}
			else {
				Assert.isTrue(special.put(role, i) == null, () -> "it has two parameters of type "
						+ parameter.getParameterType().getSimpleName() + "; only one is allowed");
			}
		}
		if (rest.size() == 1 && isWhole(rest.get(0))) {
			special.put(Role.ARGUMENTS, rest.get(0).getParameterIndex());
			return new DeclaredParameters(List.of(), ResolvableType.forMethodParameter(rest.get(0)), special);
		}
		return new DeclaredParameters(arguments(rest), null, special);
	}

	private static List<DeclaredArgument> arguments(List<MethodParameter> parameters) {
		Map<String, DeclaredArgument> arguments = new LinkedHashMap<>();
		for (MethodParameter parameter : parameters) {
			DeclaredArgument argument = argument(parameter);
			Assert.isTrue(arguments.put(argument.name(), argument) == null,
					() -> "two parameters are argument '" + argument.name() + "'");
		}
		return List.copyOf(arguments.values());
	}

	private static boolean isWhole(MethodParameter parameter) {
		Class<?> type = parameter.getParameterType();
		return !parameter.hasParameterAnnotation(McpToolArgument.class) && (Map.class.isAssignableFrom(type)
				|| !(type.getName().startsWith("java.") || Iterable.class.isAssignableFrom(type) || type.isArray()
						|| BeanUtils.isSimpleValueType(type)));
	}

	private static DeclaredArgument argument(MethodParameter parameter) {
		Assert.isTrue(!McpToolRequest.class.isAssignableFrom(parameter.getParameterType()),
				"a McpToolRequest is all arguments: no other parameter can be one");
		McpToolArgument declaration = parameter.getParameterAnnotation(McpToolArgument.class);
		MethodParameter value = parameter.nestedIfOptional();
		return new DeclaredArgument(parameter.getParameterIndex(), name(parameter, declaration),
				ResolvableType.forMethodParameter(value), parameter.isOptional(), defaultValue(value, declaration));
	}

	private static String name(MethodParameter parameter, @Nullable McpToolArgument declaration) {
		if (declaration != null && !declaration.value().isEmpty()) {
			return declaration.value();
		}
		parameter.initParameterNameDiscovery(NAMES);
		String name = parameter.getParameterName();
		Assert.isTrue(name != null, () -> "the name of parameter " + (parameter.getParameterIndex() + 1)
				+ " is not known. Compile with -parameters, or name it with @McpToolArgument");
		return name;
	}

	private static @Nullable Object defaultValue(MethodParameter parameter, @Nullable McpToolArgument declaration) {
		if (declaration == null || McpToolArgument.NO_DEFAULT.equals(declaration.defaultValue())) {
			return null;
		}
		Assert.isTrue(!parameter.getParameterType().isPrimitive(),
				() -> "parameter " + (parameter.getParameterIndex() + 1)
						+ " is a primitive, so its default value is unused. Use the wrapper type");
		try {
			return DefaultConversionService.getSharedInstance()
				.convert(declaration.defaultValue(), TypeDescriptor.valueOf(String.class),
						new TypeDescriptor(parameter));
		}
		catch (ConversionException ex) {
			throw new IllegalArgumentException("the default value '" + declaration.defaultValue() + "' of parameter "
					+ (parameter.getParameterIndex() + 1) + " is not a valid "
					+ parameter.getNestedParameterType().getSimpleName(), ex);
		}
	}

	/**
	 * Return where the caller of a call may be.
	 * @param values the values of the parameters
	 */
	ContextView context(@Nullable Object[] values) {
		ContextView context = value(Role.CONTEXT, ContextView.class, values);
		if (context != null) {
			return context;
		}
		return (value(Role.ARGUMENTS, Object.class, values) instanceof McpToolRequest request) ? request.context()
				: Context.empty();
	}

	/**
	 * Make the request of a call.
	 * @param values the values of the parameters
	 */
	McpToolRequest request(McpTool tool, @Nullable Object[] values) {
		Object whole = (this.whole != null) ? value(Role.ARGUMENTS, Object.class, values)
				: new NamedArguments(named(values));
		McpToolRequest request = tool.request((whole != null) ? whole : Map.of()).withContext(context(values));
		Duration timeout = value(Role.TIMEOUT, Duration.class, values);
		request = (timeout != null) ? request.withTimeout(timeout) : request;
		@SuppressWarnings("unchecked")
		Consumer<ProgressNotification> progress = value(Role.PROGRESS, Consumer.class, values);
		return (progress != null) ? request.withProgress(progress) : request;
	}

	/**
	 * Make the request of a call that reaches no tool, as far as it can be made without
	 * one.
	 */
	McpToolRequest missed(String toolName, @Nullable Object[] values) {
		Object whole = (this.whole != null) ? value(Role.ARGUMENTS, Object.class, values) : named(values);
		if (whole instanceof McpToolRequest request) {
			return request;
		}
		try {
			return McpToolRequest.of(JsonValues.arguments(null, toolName, (whole != null) ? whole : Map.of()));
		}
		catch (IllegalArgumentException ex) {
			return McpToolRequest.of(Map.of());
		}
	}

	private Map<String, Object> named(@Nullable Object[] values) {
		Map<String, Object> named = new LinkedHashMap<>();
		for (DeclaredArgument argument : this.arguments) {
			Object given = values[argument.index()];
			Object value = (given instanceof Optional<?> optional) ? optional.orElse(null) : given;
			if (value == null) {
				value = argument.defaultValue();
			}
			if (value != null) {
				named.put(argument.name(), value);
			}
		}
		return named;
	}

	private <T> @Nullable T value(Role role, Class<T> type, @Nullable Object[] values) {
		Integer index = this.special.get(role);
		return (index != null) ? type.cast(values[index]) : null;
	}

	/**
	 * The role of a parameter that is not a single argument.
	 */
	enum Role {

		ARGUMENTS, TIMEOUT, PROGRESS, CONTEXT;

		private static @Nullable Role of(MethodParameter parameter) {
			if (parameter.hasParameterAnnotation(McpToolArgument.class)) {
				return null;
			}
			Class<?> type = parameter.getParameterType();
			if (type == Duration.class) {
				return TIMEOUT;
			}
			if (ContextView.class.isAssignableFrom(type)) {
				return CONTEXT;
			}
			return LISTENER.isAssignableFrom(ResolvableType.forMethodParameter(parameter)) ? PROGRESS : null;
		}

	}

	/**
	 * Arguments whose values are written as JSON, unlike the values of a map.
	 */
	record NamedArguments(@JsonValue Map<String, Object> values) {
	}

}
