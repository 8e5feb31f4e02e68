package io.github.mcpclient.declared;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.internal.support.CallerContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs the methods of a proxy. Safe for use by many threads.
 */
final class ClientInvocations implements InvocationHandler {

	private final DeclaredClient client;

	private final Map<Method, Invocation> tools = new HashMap<>();

	/**
	 * Create an instance.
	 * @param interceptors are told of calls that reach no tool
	 */
	ClientInvocations(DeclaredClient client, McpServerRegistry registry,
			Supplier<Stream<McpToolInterceptor>> interceptors) {
		this.client = client;
		for (DeclaredTool tool : client.tools()) {
			this.tools.put(tool.method(),
					new Invocation(tool, new ToolLookup(registry, client.server(), tool), interceptors));
		}
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
		Invocation tool = this.tools.get(method);
		@Nullable Object[] values = (args != null) ? args : new Object[0];
		if (tool != null) {
			return tool.of(values);
		}
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(proxy, method, args);
		}
		return switch (method.getName()) {
			case "equals" -> proxy == values[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> this.client.type().getSimpleName() + "[tools of MCP server '" + this.client.server() + "']";
		};
	}

	private record Invocation(DeclaredTool tool, ToolLookup lookup, Supplier<Stream<McpToolInterceptor>> interceptors) {

		private @Nullable Object of(@Nullable Object[] values) {
			DeclaredParameters parameters = this.tool.parameters();
			return this.tool.returned().of(() -> {
				McpTool found = find(parameters.context(values), values);
				return found.call(parameters.request(found, values));
			}, Mono
				.defer(() -> this.lookup.findAsync()
					.transformDeferredContextual((found, context) -> found.doOnError(notifyUnresolved(context, values)))
					.flatMap((found) -> found.callAsync(parameters.request(found, values))))
				.contextWrite(parameters.context(values)));
		}

		private McpTool find(ContextView context, @Nullable Object[] values) {
			try {
				return this.lookup.find(context);
			}
			catch (RuntimeException ex) {
				notifyUnresolved(context, values).accept(ex);
				throw ex;
			}
		}

		private Consumer<Throwable> notifyUnresolved(ContextView caller, @Nullable Object[] values) {
			Context context = CallerContext.withThread(Context.of(caller));
			return (failure) -> {
				String name = (failure instanceof NoSuchMcpToolException ours) ? ours.getName() : this.tool.name();
				McpToolRequest request = this.tool.parameters().unresolvedRequest(name, values).withContext(context);
				this.interceptors.get().forEach((interceptor) -> interceptor.onUnresolvedTool(name, request, failure));
			};
		}

	}

}
