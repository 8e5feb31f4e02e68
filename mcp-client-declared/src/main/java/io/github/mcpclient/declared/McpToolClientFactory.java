package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.util.ReflectionUtils;

/**
 * Creates proxies of declared clients. A bean in a Spring Boot application; without
 * Spring Boot, create one for the registry of a client:
 *
 * <pre>{@code
 * Weather weather = new McpToolClientFactory(client.registry()).create(Weather.class);
 * }</pre>
 *
 * Safe for use by many threads.
 */
public final class McpToolClientFactory {

	private final McpServerRegistry registry;

	private final Map<Class<?>, DeclaredClient> clients = new ConcurrentHashMap<>();

	/**
	 * Create a factory of proxies that call the tools of the servers of a registry.
	 */
	public McpToolClientFactory(McpServerRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Create a proxy. Neither its server nor its tools need to be there: it finds them at
	 * each call.
	 * @param type an interface with {@link McpToolClient}
	 * @throws IllegalArgumentException if the type is not such an interface, or if one of
	 * its methods cannot be a call of a tool; the message says what to change
	 */
	public <T> T create(Class<T> type) {
		DeclaredClient client = this.clients.computeIfAbsent(type, DeclaredClient::of);
		// those of an interface that is not public cannot be run otherwise
		Arrays.stream(type.getMethods()).filter(Method::isDefault).forEach(ReflectionUtils::makeAccessible);
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				new ClientInvocations(client, this.registry)));
	}

	/**
	 * Return the declarations of all proxies that this has created.
	 */
	Collection<DeclaredClient> clients() {
		return this.clients.values();
	}

}
