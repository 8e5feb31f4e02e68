package io.github.mcpclient.testsupport.faults;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a test proves that a fault is survived. {@code docs/faults.md} lists it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Fault.All.class)
public @interface Fault {

	/**
	 * What is survived.
	 */
	FaultKind value();

	/**
	 * Over which transports; by default all that the fault concerns.
	 */
	Transport[] over() default {};

	/**
	 * Several faults that one test proves to be survived.
	 */
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface All {

		/**
		 * The faults.
		 */
		Fault[] value();

	}

}
