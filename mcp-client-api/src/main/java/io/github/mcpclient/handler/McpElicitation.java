package io.github.mcpclient.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a method of a bean as an {@link McpElicitationHandler}. Its parameters are an
 * {@code ElicitRequest}, or one of its two subtypes to handle only that type, and
 * optionally the {@link McpHandlerContext}; it returns an {@code ElicitResult} or a
 * {@code Mono} of one. Spring AI's annotation of this name has the same effect.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface McpElicitation {

	/**
	 * The names of the servers that the method serves. All servers by default.
	 */
	String[] clients() default {};

}
