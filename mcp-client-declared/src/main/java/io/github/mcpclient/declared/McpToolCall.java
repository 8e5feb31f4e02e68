package io.github.mcpclient.declared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the tool that a method of an {@link McpToolClient} calls. Without it, that is the
 * tool with the name of the method, or else the only one of the server whose name differs
 * in case and separators alone: {@code forecastDays} calls {@code forecast_days},
 * {@code forecast-days} or {@code ForecastDays}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpToolCall {

	/**
	 * Return the name that the server gives to the tool, exactly.
	 */
	String value();

}
