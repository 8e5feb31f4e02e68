package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.Nullness;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;

/**
 * The conversion of the result of a tool to the return value of a method. Immutable.
 *
 * @param type the type of the value, within all that the other components say
 * @param delivery how the value is returned
 * @param inOptional whether the value is within an {@code Optional}
 * @param nullable whether there may be no value
 * @param reading makes the value
 */
record DeclaredResult(ResolvableType type, Delivery delivery, boolean inOptional, boolean nullable,
		Function<McpToolResult, @Nullable Object> reading) {

	// as servers wrap what is no object
	private static final Map<String, @Nullable Object> WRAPPED_NULL = Collections.singletonMap("result", null);

	private static final ResolvableType ITEMS = ResolvableType.forClassWithGenerics(List.class, Content.class);

	static DeclaredResult of(Method method, Class<?> declaring) {
		ResolvableType type = ResolvableType
			.forType(GenericTypeResolver.resolveType(method.getGenericReturnType(), declaring));
		Delivery delivery = Delivery.of(type.toClass());
		if (delivery != Delivery.WAIT) {
			type = type.getGeneric();
			Assert.isTrue(type.resolve() != null, () -> "it returns " + method.getReturnType().getSimpleName()
					+ " without a type argument. Use Mono<Void> for no result");
		}
		boolean inOptional = type.toClass() == Optional.class;
		type = inOptional ? type.getGeneric() : type;
		boolean nullable = inOptional || delivery != Delivery.WAIT
				|| Nullness.forMethodReturnType(method) == Nullness.NULLABLE;
		return new DeclaredResult(type, delivery, inOptional, nullable, reading(type));
	}

	private static Function<McpToolResult, @Nullable Object> reading(ResolvableType type) {
		Class<?> raw = type.toClass();
		if (raw == McpToolResult.class) {
			return (result) -> result;
		}
		if (raw == void.class || raw == Void.class) {
			return (result) -> {
				result.orThrow();
				return null;
			};
		}
		if (raw == String.class) {
			return (result) -> result.orThrow().text();
		}
		if (raw != Object.class && type.isAssignableFrom(ITEMS)) {
			return (result) -> result.orThrow().content();
		}
		ParameterizedTypeReference<?> reference = ParameterizedTypeReference.forType(type.getType());
		return (result) -> result.structuredContent(reference);
	}

	/**
	 * Return what the method returns.
	 * @param call the call, which is made by {@code waiting} or by a subscription
	 */
	@Nullable Object of(Supplier<McpToolResult> waiting, Mono<McpToolResult> call) {
		return switch (this.delivery) {
			case WAIT -> value(waiting.get());
			case MONO -> call.mapNotNull(this::value);
			case FUTURE -> call.mapNotNull(this::value).toFuture();
		};
	}

	private @Nullable Object value(McpToolResult result) {
		boolean none = this.nullable && this.type.toClass() != McpToolResult.class && isEmpty(result);
		Object value = none ? null : this.reading.apply(result);
		return this.inOptional ? Optional.ofNullable(value) : value;
	}

	private static boolean isEmpty(McpToolResult result) {
		Object structured = result.structuredContent();
		return !result.isError()
				&& ((structured != null) ? structured.equals(WRAPPED_NULL) : result.content().isEmpty());
	}

	/**
	 * How a value is returned.
	 */
	enum Delivery {

		WAIT, MONO, FUTURE;

		private static Delivery of(Class<?> type) {
			if (type == Mono.class) {
				return MONO;
			}
			if (type == CompletableFuture.class || type == CompletionStage.class) {
				return FUTURE;
			}
			Assert.isTrue(!Publisher.class.isAssignableFrom(type) && !Future.class.isAssignableFrom(type),
					() -> "it returns " + type.getSimpleName()
							+ ". A tool has one result: return it as Mono or CompletableFuture, or wait for it");
			return WAIT;
		}

	}

}
