package io.github.mcpclient.declared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that the methods of an interface are tools of an MCP server. A proxy calls
 * them: the bean of an {@linkplain ImportMcpToolClients imported} interface, or an object
 * that {@link McpToolClientFactory} creates.
 *
 * <pre class="code">
 * &#064;McpToolClient("weather")
 * interface Weather {
 *
 *     Forecast forecast(String city, &#064;Nullable Integer days);
 *
 *     &#064;McpToolCall("get-alerts")
 *     Mono&lt;List&lt;Alert&gt;&gt; alerts(AlertRequest request);
 *
 * }
 * </pre>
 *
 * <b>Parameters.</b> Each is an argument of the tool, with the name of the parameter
 * (compile with {@code -parameters}) or the name in {@link McpToolArgument}. An argument
 * that is {@code null} is omitted. A single parameter without {@code @McpToolArgument}
 * that is a record, a bean, a map or an {@link io.github.mcpclient.McpToolRequest} is all
 * arguments. Parameters of these types are no arguments, and may be {@code null}:
 * <ul>
 * <li>{@link java.time.Duration}: the timeout of the call,</li>
 * <li>{@code Consumer<ProgressNotification>}: a listener for its progress,</li>
 * <li>{@link reactor.util.context.ContextView}: a Reactor context for it.</li>
 * </ul>
 *
 * <b>Results.</b> {@code String} is the text of the result, {@code List<Content>} its
 * items, {@link io.github.mcpclient.McpToolResult} all of it, and {@code void} nothing;
 * any other type is read from the structured result or from a text that is JSON. An
 * {@link java.util.Optional}, or a return type that is {@code @Nullable}, is empty if the
 * result is empty. Each type can be wrapped in a {@link reactor.core.publisher.Mono},
 * which calls the tool once per subscription, or in a
 * {@link java.util.concurrent.CompletableFuture}, which calls it immediately; all other
 * methods wait for the result.
 *
 * <p>
 * <b>Errors.</b> A method fails as
 * {@link io.github.mcpclient.McpTool#call(java.util.Map)} does, with
 * {@link io.github.mcpclient.McpToolException} if the tool reports an error, and with
 * {@link io.github.mcpclient.NoSuchMcpServerException} if there is no such server. Only a
 * method that returns {@code McpToolResult} returns the error of a tool.
 *
 * <p>
 * Default methods are invoked unchanged. Proxies are safe for use by many threads.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface McpToolClient {

	/**
	 * Return the name of the server. The server does not have to exist when the proxy is
	 * created.
	 */
	String value();

	/**
	 * Return whether the application depends on these tools: the start fails if the tools
	 * of the server do not match the methods, or if the server lists none within
	 * {@code mcp.startup.wait}. By default, and for later changes of the server,
	 * mismatches cause a warning only.
	 */
	boolean required() default false;

}
