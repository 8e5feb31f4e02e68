package io.github.mcpclient.declared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/**
 * Imports declared clients into a configuration class: each interface with
 * {@link McpToolClient} becomes a bean of its type. Without any attribute, these are the
 * interfaces in the package of the configuration class and below. An interface that is
 * imported several times is one bean.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ImportMcpToolClients.Container.class)
@Import(McpToolClientRegistrar.class)
public @interface ImportMcpToolClients {

	/**
	 * An alias for {@link #types()}.
	 */
	@AliasFor("types")
	Class<?>[] value() default {};

	/**
	 * Return single interfaces to import.
	 */
	@AliasFor("value")
	Class<?>[] types() default {};

	/**
	 * Return the names of packages to scan, with those below them. May have placeholders.
	 */
	String[] basePackages() default {};

	/**
	 * Return classes whose packages are scanned.
	 */
	Class<?>[] basePackageClasses() default {};

	/**
	 * Holds several of these annotations.
	 */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.TYPE)
	@Import(McpToolClientRegistrar.class)
	@interface Container {

		/**
		 * Return the annotations.
		 */
		ImportMcpToolClients[] value();

	}

}
