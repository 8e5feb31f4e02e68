package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * What a method declares. Immutable.
 *
 * @param method the method
 * @param name the name of the tool
 * @param exact whether the server has to give the tool this name exactly; otherwise the
 * name is that of the method, in any spelling
 * @param parameters what its parameters are
 * @param returned how it converts the result
 */
record DeclaredTool(Method method, String name, boolean exact, DeclaredParameters parameters, DeclaredResult returned) {

	/**
	 * Read the declarations of a method.
	 * @param type the interface that has it, itself or by inheritance
	 * @throws IllegalArgumentException if it is invalid
	 */
	static DeclaredTool of(Method method, Class<?> type) {
		McpToolCall declaration = method.getAnnotation(McpToolCall.class);
		try {
			return new DeclaredTool(method, (declaration != null) ? declaration.value() : method.getName(),
					declaration != null, DeclaredParameters.of(method, type), DeclaredResult.of(method, type));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Method '" + method.getName() + "' of declared MCP client "
					+ type.getName() + ": " + ex.getMessage(), ex.getCause());
		}
	}

	/**
	 * Return those tools of a server that may be the one that the method calls: one, if
	 * it has the name exactly, or else all that are spelled otherwise.
	 */
	List<McpTool> among(Collection<McpTool> listed) {
		String spelling = ToolSpelling.of(this.name);
		List<McpTool> spelled = new ArrayList<>();
		for (McpTool tool : listed) {
			String original = tool.originalName();
			if (original.equals(this.name)) {
				return List.of(tool);
			}
			if (!this.exact && ToolSpelling.of(original).equals(spelling)) {
				spelled.add(tool);
			}
		}
		return spelled;
	}

	/**
	 * Return the parameters that are single arguments; none if one is all of them.
	 */
	List<DeclaredArgument> arguments() {
		return this.parameters.arguments();
	}

	/**
	 * Return the type of the parameter that is all arguments, or {@code null}.
	 */
	@Nullable ResolvableType whole() {
		return this.parameters.whole();
	}

	/**
	 * Return the type of the result, within a {@code Mono}, a future or an
	 * {@code Optional}; {@link Void} for none.
	 */
	ResolvableType result() {
		return this.returned.type();
	}

	/**
	 * A parameter that is one argument.
	 *
	 * @param index the index of the parameter
	 * @param name the name of the argument
	 * @param type the type of the argument, within an {@code Optional}
	 * @param optional whether the parameter is one that may be {@code null}, or an
	 * {@code Optional}; the argument is omitted then
	 * @param defaultValue what to send then, of the type, or {@code null}
	 */
	record DeclaredArgument(int index, String name, ResolvableType type, boolean optional,
			@Nullable Object defaultValue) {
	}

}
