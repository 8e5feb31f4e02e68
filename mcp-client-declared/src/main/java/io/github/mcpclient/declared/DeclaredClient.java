package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * What an interface declares. Immutable.
 *
 * @param type the interface
 * @param server the name of the server
 * @param required whether the start fails if the server does not have these tools
 * @param tools its methods that are tools
 */
record DeclaredClient(Class<?> type, String server, boolean required, List<DeclaredTool> tools) {

	/**
	 * Read the declarations of an interface.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static DeclaredClient of(Class<?> type) {
		McpToolClient declaration = type.getAnnotation(McpToolClient.class);
		Assert.isTrue(type.isInterface() && declaration != null,
				() -> type.getName() + " is not a declared MCP client: it must be an interface with @McpToolClient");
		Assert.hasText(declaration.value(), () -> "@McpToolClient of " + type.getName() + " must name a server");
		List<DeclaredTool> tools = Arrays.stream(type.getMethods())
			.filter(DeclaredClient::isTool)
			.sorted(Comparator.comparing(Method::toString))
			.map((method) -> DeclaredTool.of(method, type))
			.toList();
		Assert.notEmpty(tools, () -> "Declared MCP client " + type.getName() + " has no methods that are tools");
		return new DeclaredClient(type, declaration.value().strip(), declaration.required(), tools);
	}

	private static boolean isTool(Method method) {
		return Modifier.isAbstract(method.getModifiers()) && !ReflectionUtils.isObjectMethod(method);
	}

}
