package io.github.mcpclient.declared;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.internal.support.JsonValues;
import tools.jackson.databind.json.JsonMapper;

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

	private final ClientComparison comparison;

	private final Supplier<Stream<McpToolInterceptor>> interceptors;

	private volatile Consumer<DeclaredClient> created = (client) -> {
	};

	/**
	 * Create a factory of proxies that call the tools of the servers of a registry.
	 */
	public McpToolClientFactory(McpServerRegistry registry) {
		this(registry, JsonValues.mapper(List.of()), Stream::empty);
	}

	McpToolClientFactory(McpServerRegistry registry, JsonMapper mapper,
			Supplier<Stream<McpToolInterceptor>> interceptors) {
		this.registry = registry;
		this.interceptors = interceptors;
		this.comparison = new ClientComparison(registry, new JsonShapes(mapper));
	}

	/**
	 * Create a proxy. The server and its tools do not have to exist: the proxy finds them
	 * at each call.
	 * @param type an interface with {@link McpToolClient}
	 * @throws IllegalArgumentException if the type is not such an interface, or if one of
	 * its methods cannot be a call of a tool; the message says what to change
	 */
	public <T> T create(Class<T> type) {
		DeclaredClient client = this.clients.computeIfAbsent(type, DeclaredClient::of);
		this.created.accept(client);
		// default methods of an interface that is not public cannot be invoked otherwise
		Arrays.stream(type.getMethods()).filter(Method::isDefault).forEach(ReflectionUtils::makeAccessible);
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				new ClientInvocations(client, this.registry, this.interceptors)));
	}

	/**
	 * Compare all clients of this factory with the tools that their servers list now. A
	 * Spring Boot application does so each time that a listing changes. Without Spring
	 * Boot, types are compared without a
	 * {@link io.github.mcpclient.spi.McpJsonMapperCustomizer}. Must not be called on a
	 * thread that must not block.
	 * @return the mismatches of each client that does not match; clients of servers that
	 * are not READY are omitted
	 */
	public List<McpToolClientMismatchEvent> mismatches() {
		Map<String, List<DeclaredClient>> servers = this.clients.values()
			.stream()
			.collect(Collectors.groupingBy(DeclaredClient::server));
		return servers.entrySet()
			.stream()
			.flatMap((server) -> this.comparison
				.compare(server.getKey(), server.getValue(), UnaryOperator.identity(), (tool) -> null)
				.stream())
			.filter((event) -> !event.mismatches().isEmpty())
			.toList();
	}

	ClientComparison comparison() {
		return this.comparison;
	}

	/**
	 * Observe each client that is created later, once for each proxy.
	 */
	void onCreation(Consumer<DeclaredClient> created) {
		this.created = created;
	}

	/**
	 * Return the declarations of all proxies that this has created.
	 */
	Collection<DeclaredClient> clients() {
		return this.clients.values();
	}

}
