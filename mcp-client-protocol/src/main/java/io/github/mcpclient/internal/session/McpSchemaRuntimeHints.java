package io.github.mcpclient.internal.session;

import java.util.stream.Stream;

import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * {@link RuntimeHintsRegistrar} for the types of the SDK that messages are bound to and
 * written from, as the SDK brings no hints for them, and for the version of the client.
 */
final class McpSchemaRuntimeHints implements RuntimeHintsRegistrar {

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		this.binding.registerReflectionHints(hints.reflection(), messages(McpSchema.class).toArray(Class<?>[]::new));
		hints.resources().registerPattern("io/github/mcpclient/internal/transport/http/version.txt");
	}

	// sub-types of an interface are found by name only, so all are registered
	private static Stream<Class<?>> messages(Class<?> type) {
		return Stream.of(type.getDeclaredClasses())
			.flatMap((nested) -> Stream.concat(Stream.of(nested), messages(nested)))
			.filter((nested) -> !nested.getSimpleName().endsWith("Builder"));
	}

}
