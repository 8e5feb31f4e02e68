package io.github.mcpclient.declared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that the methods of an interface are tools of an MCP server. A proxy calls
 * them: a bean where the interface is {@linkplain ImportMcpToolClients imported}, or what
 * {@link McpToolClientFactory} creates.
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
 * <b>Parameters.</b> Each is an argument of the tool, by the name of the parameter, which
 * the compiler has to keep ({@code -parameters}), or by that of {@link McpToolArgument}.
 * One that is {@code null} is left out. A single parameter without
 * {@code @McpToolArgument} that is a record, a bean, a map or an
 * {@link io.github.mcpclient.McpToolRequest} is all arguments. These types are no
 * arguments, and may be {@code null}:
 * <ul>
 * <li>{@link java.time.Duration}: the timeout of the call,</li>
 * <li>{@code Consumer<ProgressNotification>}: a listener for its progress,</li>
 * <li>{@link reactor.util.context.ContextView}: a Reactor context for it.</li>
 * </ul>
 *
 * <b>Results.</b> {@code String} is the text of the result, {@code List<Content>} its
 * items, {@link io.github.mcpclient.McpToolResult} all of it, and {@code void} nothing;
 * any other type is read from the structured result or from a text that is JSON. An
 * {@link java.util.Optional}, or a return type that is {@code @Nullable}, is empty where
 * the result is. Each of these may be that of a {@link reactor.core.publisher.Mono},
 * which calls the tool once per subscription, or of a
 * {@link java.util.concurrent.CompletableFuture}, with which the call begins at once; all
 * other methods wait for the result.
 *
 * <p>
 * <b>Errors.</b> A method fails as
 * {@link io.github.mcpclient.McpTool#call(java.util.Map)} does, with
 * {@link io.github.mcpclient.McpToolException} where the tool reports an error, and with
 * {@link io.github.mcpclient.NoSuchMcpServerException} where there is no such server.
 * Only a method that returns {@code McpToolResult} returns the error of a tool.
 *
 * <p>
 * Default methods are run as they are. Proxies are safe for use by many threads.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface McpToolClient {

	/**
	 * Return the name of the server. There need be none of that name when the proxy is
	 * created.
	 */
	String value();

	/**
	 * Return whether the application depends on these tools: its start fails where the
	 * server lists other ones than the methods need, or none within
	 * {@code mcp.startup.wait}. By default, the former is a warning. What the server
	 * lists later is a warning in any case.
	 */
	boolean required() default false;

}
