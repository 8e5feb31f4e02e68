package io.github.mcpclient.testsupport.faults;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test that runs once for each transport that its {@link Fault} names, so that it
 * cannot name one over which it does not run.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ParameterizedTest(name = "{0}")
@ArgumentsSource(EachTransport.Provider.class)
public @interface EachTransport {

	/**
	 * Provides the transports.
	 */
	class Provider implements ArgumentsProvider {

		@Override
		public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
			return Arrays.stream(context.getRequiredTestMethod().getAnnotationsByType(Fault.class))
				.flatMap((fault) -> FaultKind.transports(fault).stream())
				.distinct()
				.map(Arguments::of);
		}

	}

}
