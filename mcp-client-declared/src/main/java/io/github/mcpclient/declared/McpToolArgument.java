package io.github.mcpclient.declared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a parameter of an {@link McpToolClient} is one argument of the tool, of
 * any type.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface McpToolArgument {

	/**
	 * A text that stands for no default value, since an annotation cannot have
	 * {@code null}.
	 */
	String NO_DEFAULT = "\n\t\t\n\t\t\n\uE000\uE001\uE002\n\t\t\t\t\n";

	/**
	 * Return the name of the argument; by default, that of the parameter.
	 */
	String value() default "";

	/**
	 * Return the value to send if the parameter is {@code null}, as text that Spring
	 * converts to the type of the parameter. By default, the argument is omitted then.
	 */
	String defaultValue() default NO_DEFAULT;

}
