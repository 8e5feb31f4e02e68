package io.github.mcpclient.audit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.mcpclient.audit.AuditTrail.Pending;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Records all changes of servers, with proxies around the beans that change them.
 */
final class AuditedManagement implements BeanPostProcessor {

	private static final Map<String, String> ACTIONS = Map.of("add", "add", "replace", "replace", "remove", "remove",
			"enable", "enable", "disable", "disable", "reconnect", "reconnect", "refresh", "refresh", "approveTools",
			"approve");

	private static final String ASYNC = "Async";

	private final Supplier<AuditTrail> trail;

	AuditedManagement(Supplier<AuditTrail> trail) {
		this.trail = trail;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof McpServerManager manager) ? audited(McpServerManager.class, manager) : bean;
	}

	private <T> T audited(Class<T> type, T target) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, new Audited(target)));
	}

	private final class Audited implements InvocationHandler {

		private final Object target;

		private Audited(Object target) {
			this.target = target;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
				throws Throwable {
			@Nullable Object[] values = (args != null) ? args : new Object[0];
			String name = method.getName();
			if (name.equals("equals")) {
				return proxy == values[0] || (values[0] != null && Proxy.isProxyClass(values[0].getClass())
						&& Proxy.getInvocationHandler(values[0]) instanceof Audited other
						&& other.target.equals(this.target));
			}
			boolean async = name.endsWith(ASYNC);
			String action = ACTIONS.get(async ? name.substring(0, name.length() - ASYNC.length()) : name);
			if (action == null) {
				return servers(call(method, values));
			}
			return async ? changing(action, method, values) : change(action, method, values);
		}

		private @Nullable Object change(String action, Method method, @Nullable Object[] values) throws Throwable {
			Pending change = begin(action, values, Context.empty());
			try {
				Object result = call(method, values);
				change.succeed();
				return result;
			}
			catch (Throwable ex) {
				change.fail(ex);
				throw ex;
			}
		}

		// a change continues after its subscriber has cancelled
		private Mono<?> changing(String action, Method method, @Nullable Object[] values) {
			return Mono.deferContextual((context) -> {
				Pending change = begin(action, values, context);
				return Mono.defer(() -> {
					try {
						return (Mono<?>) call(method, values);
					}
					catch (Throwable ex) {
						return Mono.error(ex);
					}
				}).doOnSuccess((done) -> change.succeed()).doOnError(change::fail).doOnCancel(change::succeed);
			});
		}

		private Pending begin(String action, @Nullable Object[] values, ContextView caller) {
			Object first = (values.length > 0) ? values[0] : null;
			String server = (this.target instanceof ManagedMcpServer managed) ? managed.name()
					: (first instanceof McpServerDefinition definition) ? definition.name()
							: (first instanceof String name) ? name : null;
			return AuditedManagement.this.trail.get()
				.administration(action, server, (first instanceof Map<?, ?> hashes) ? hashes : null, caller);
		}

		private @Nullable Object call(Method method, @Nullable Object[] values) throws Throwable {
			try {
				return method.invoke(this.target, values);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private @Nullable Object servers(@Nullable Object result) {
			if (result instanceof ManagedMcpServer server) {
				return audited(ManagedMcpServer.class, server);
			}
			if (result instanceof Optional<?> found && found.orElse(null) instanceof ManagedMcpServer server) {
				return Optional.of(audited(ManagedMcpServer.class, server));
			}
			return (this.target instanceof McpServerManager && result instanceof List<?> all)
					? all.stream().map(this::servers).toList() : result;
		}

	}

	/**
	 * Hints for native images.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(McpServerManager.class);
			hints.proxies().registerJdkProxy(ManagedMcpServer.class);
			hints.resources().registerPattern("io/github/mcpclient/audit/schema-*.sql");
		}

	}

}
