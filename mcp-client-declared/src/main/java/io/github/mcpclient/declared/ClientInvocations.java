package io.github.mcpclient.declared;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Runs the methods of a proxy. Safe for use by many threads.
 */
final class ClientInvocations implements InvocationHandler {

	private final DeclaredClient client;

	private final Map<Method, Invocation> tools = new HashMap<>();

	ClientInvocations(DeclaredClient client, McpServerRegistry registry) {
		this.client = client;
		for (DeclaredTool tool : client.tools()) {
			this.tools.put(tool.method(), new Invocation(tool, new ToolLookup(registry, client.server(), tool)));
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

	private record Invocation(DeclaredTool tool, ToolLookup lookup) {

		private @Nullable Object of(@Nullable Object[] values) {
			DeclaredParameters parameters = this.tool.parameters();
			return this.tool.returned().of(() -> {
				McpTool found = this.lookup.find(parameters.context(values));
				return found.call(parameters.request(found, values));
			}, Mono
				.defer(() -> this.lookup.findAsync()
					.flatMap((found) -> found.callAsync(parameters.request(found, values))))
				.contextWrite(parameters.context(values)));
		}

	}

}
