package io.github.mcpclient.testsupport.faults;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several of {@link Fault}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(FaultRecorder.class)
public @interface Faults {

	/**
	 * The faults.
	 */
	Fault[] value();

}
