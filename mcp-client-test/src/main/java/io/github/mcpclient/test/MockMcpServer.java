package io.github.mcpclient.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Consumer;

import io.github.mcpclient.test.server.McpTestServer;

import org.springframework.core.annotation.AliasFor;

/**
 * Replaces an MCP server of the application by an {@link McpTestServer}, or adds one that
 * is not configured. Works in any test with an application context, such as a
 * {@code @SpringBootTest} or an {@link McpTest}.
 *
 * <p>
 * On a static field of type {@code McpTestServer}, the server is the value of that field:
 *
 * <pre class="code">
 * &#064;MockMcpServer
 * static final McpTestServer search = McpTestServer.create()
 *     .tool("find", McpTestReply.text("nothing found"));
 * </pre>
 *
 * On any other field, which must have no value, and on a class, a server is created for
 * the application context, prepared by {@link #script()}. It is the value of the field,
 * and a bean that is qualified by the name.
 *
 * <p>
 * A configured server keeps all of its settings, such as headers, timeouts and filters of
 * tools, except for where it is; it is always enabled. Where it is configured with a url,
 * it is reached over HTTP, by the transport that is configured; a child process is
 * replaced in memory. Placeholders that the environment does not resolve are blank.
 *
 * <p>
 * The server is started before the application context, and stopped when that is closed.
 * After each test it is {@linkplain McpTestServer#reset() reset} and the application
 * connected again, if it has to be: a change of the server in one test is not seen by the
 * next one. Tests that share a context, and run in parallel, take turns; those of
 * different contexts have different servers, unless they share a static field.
 */
@Target({ ElementType.FIELD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(MockMcpServers.class)
public @interface MockMcpServer {

	/**
	 * Alias for {@link #name()}.
	 * @return the name of the server
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * The name of the server, as in {@code mcp.servers.<name>}. On a field, the name of
	 * the field by default.
	 * @return the name of the server
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * What prepares the server that is created for a context, before it is started. Each
	 * class needs a constructor without parameters.
	 * @return the classes, in their order
	 */
	Class<? extends Consumer<McpTestServer>>[] script() default {};

}
