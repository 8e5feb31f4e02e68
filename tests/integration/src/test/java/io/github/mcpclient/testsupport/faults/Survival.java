package io.github.mcpclient.testsupport.faults;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a test asserts that lives through faults with several servers connected.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Survival {

	/**
	 * The recovery bound in seconds: from the end of the fault to a right answer of the
	 * server.
	 */
	int within();

	/**
	 * How often the fault is met, with threads, descriptors, children and heap compared
	 * after the last time; a tenth of it unless {@code -Dendurance} is set.
	 */
	int cycles() default 1;

}
