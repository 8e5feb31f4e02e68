package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * What a method declares. Immutable.
 *
 * @param method the method
 * @param name the name of the tool
 * @param exact whether the server has to give the tool this name exactly; otherwise the
 * name is that of the method, in any spelling
 * @param arguments the parameters that are single arguments; none if one is all of them
 * @param whole the type of the parameter that is all arguments, or {@code null}
 * @param result the type of the result, within a {@code Mono}, a future or an
 * {@code Optional}; {@link Void} for none
 */
record DeclaredTool(Method method, String name, boolean exact, List<DeclaredArgument> arguments,
		@Nullable ResolvableType whole, ResolvableType result) {

	/**
	 * Tell whether a tool of the server is the one that the method calls, unless others
	 * are, too.
	 */
	boolean isNamed(String originalName) {
		return this.exact ? originalName.equals(this.name)
				: ToolSpelling.of(originalName).equals(ToolSpelling.of(this.name));
	}

	/**
	 * A parameter that is one argument.
	 *
	 * @param index the index of the parameter
	 * @param name the name of the argument
	 * @param type the type of the parameter
	 * @param optional whether the argument is left out where the parameter is
	 * {@code null}, which it may be
	 * @param defaultValue what to send then, of the type of the parameter, or
	 * {@code null}
	 */
	record DeclaredArgument(int index, String name, ResolvableType type, boolean optional,
			@Nullable Object defaultValue) {
	}

}
