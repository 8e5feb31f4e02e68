package io.github.mcpclient.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Annotation for tests that focus on the use of MCP servers. Only the MCP client is
 * auto-configured, with the servers that the test declares with {@link MockMcpServer};
 * all other configured servers are disabled. Component scanning finds only components
 * that the client uses, such as interceptors, approvals, handlers, and beans with
 * annotated handler methods. The test imports other components.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(McpTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(McpTypeExcludeFilter.class)
@AutoConfigureMcp
@ImportAutoConfiguration
public @interface McpTest {

	/**
	 * Properties in the form {@code key=value} that are added to the {@link Environment}
	 * before the test runs.
	 * @return the properties to add
	 */
	String[] properties() default {};

	/**
	 * Whether components are filtered. With {@code false}, all components are found.
	 * @return whether the default filters are used
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Filters that add components that would otherwise be excluded.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Filters that exclude components that would otherwise be found.
	 * @return the filters
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configurations that are excluded.
	 * @return the classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
