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
 * Replaces an MCP server of the application with an {@link McpTestServer}, or adds a
 * server. Works in any test with an application context, such as a
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
 * On any other field, which must have no value, and on a class, the annotation creates a
 * server for the application context and applies {@link #script()}. The server is
 * injected into the field, and is a bean that is qualified by the name.
 *
 * <p>
 * A configured server retains its settings, such as headers, timeouts and tool filters,
 * except for its address, and is always enabled. A server with a URL uses its configured
 * HTTP transport; a child process is replaced in memory. Placeholders that the
 * environment does not resolve are blank.
 *
 * <p>
 * The server is started before the application context, and stopped when the context is
 * closed. After each test the server is {@linkplain McpTestServer#reset() reset} and the
 * application reconnects if necessary, so that a test does not affect the next one.
 * Parallel tests that share a context run one at a time. Different contexts use different
 * servers, except for servers of a shared static field.
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
	 * The classes that prepare the server of a context before it is started. Each class
	 * needs a constructor without parameters.
	 * @return the classes, in order
	 */
	Class<? extends Consumer<McpTestServer>>[] script() default {};

}
