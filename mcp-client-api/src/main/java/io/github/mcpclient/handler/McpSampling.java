package io.github.mcpclient.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a method of a bean as an {@link McpSamplingHandler}. Its parameters are a
 * {@code CreateMessageRequest}, and optionally the {@link McpHandlerContext}; it returns
 * a {@code CreateMessageResult} or a {@code Mono} of one. Spring AI's annotation of this
 * name has the same effect.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface McpSampling {

	/**
	 * The names of the servers that the method serves. All servers by default.
	 */
	String[] clients() default {};

}
