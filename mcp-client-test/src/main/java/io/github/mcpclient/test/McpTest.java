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
 * Annotation for tests of what an application does with MCP servers, and of nothing else.
 * Only the MCP client is auto-configured, with the servers that the test declares by
 * {@link MockMcpServer}; all others that are configured are disabled. Of the
 * application's components, those are found that the client uses: of the types that it
 * looks for, such as interceptors, approvals and handlers, and with methods that are
 * annotated as handlers. Others are imported by the test.
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
	 * Whether the components are filtered. With {@code false}, all of them are found.
	 * @return whether the default filters are used
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Filters that add components which would otherwise be filtered out.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Filters that remove components which would otherwise be found.
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
