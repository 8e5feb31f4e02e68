package io.github.mcpclient.testsupport.faults;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tells that a test proves that a fault is survived. The build makes {@code
 * docs/faults.md} of those that ran and passed.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Faults.class)
@ExtendWith(FaultRecorder.class)
public @interface Fault {

	/**
	 * What is survived.
	 */
	FaultKind value();

	/**
	 * Over which transports.
	 */
	Transport[] over();

}
