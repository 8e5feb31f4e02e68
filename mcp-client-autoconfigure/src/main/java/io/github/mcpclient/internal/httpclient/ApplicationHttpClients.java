package io.github.mcpclient.internal.httpclient;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/**
 * Preserves the HTTP clients that an application has without this library. Spring Boot
 * would use Reactor Netty for them, since it is on the classpath.
 */
final class ApplicationHttpClients implements EnvironmentPostProcessor {

	private static final String JDK = "java.net.http.HttpClient";

	private static final String JETTY = "org.eclipse.jetty.client.HttpClient";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		ClassLoader loader = application.getClassLoader();
		if (!hasReactorNetty(loader)) {
			Map<String, Object> defaults = new HashMap<>();
			defaults.put("spring.http.clients.imperative.factory", factory(loader));
			defaults.put("spring.http.clients.reactive.connector", connector(loader));
			PropertySource<?> theirs = environment.getPropertySources().get(DefaultPropertiesPropertySource.NAME);
			defaults.entrySet()
				.removeIf((property) -> property.getValue() == null
						|| (theirs != null && theirs.containsProperty(property.getKey())));
			DefaultPropertiesPropertySource.addOrMerge(defaults, environment.getPropertySources());
		}
	}

	/**
	 * Return whether the application probably has Reactor Netty without this library:
	 * spring-boot-starter-webflux, -webclient and -rsocket bring it. Boot's modules alone
	 * do not count, since spring-boot-starter-classic has them all.
	 */
	private static boolean hasReactorNetty(ClassLoader loader) {
		return areAnyPresent(loader, "org.springframework.boot.reactor.netty.NettyServerCustomizer",
				"org.springframework.boot.webclient.WebClientCustomizer")
				&& areAnyPresent(loader, "org.springframework.web.reactive.function.client.WebClient",
						"io.rsocket.RSocket");
	}

	/**
	 * Return what Boot's {@code ClientHttpRequestFactoryBuilder} detects after Reactor
	 * Netty, or {@code null} if it detects something before that.
	 */
	private static @Nullable String factory(ClassLoader loader) {
		if (areAnyPresent(loader, "org.apache.hc.client5.http.impl.classic.HttpClients", JETTY)) {
			return null;
		}
		return ClassUtils.isPresent(JDK, loader) ? "jdk" : "simple";
	}

	/**
	 * Return what Boot's {@code ClientHttpConnectorBuilder} detects after Reactor Netty,
	 * or {@code null} if there is nothing.
	 */
	private static @Nullable String connector(ClassLoader loader) {
		if (areAllPresent(loader, JETTY, "org.eclipse.jetty.reactive.client.ReactiveRequest")) {
			return "jetty";
		}
		if (areAllPresent(loader, "org.apache.hc.client5.http.impl.async.HttpAsyncClients",
				"org.apache.hc.core5.reactive.ReactiveResponseConsumer")) {
			return "http-components";
		}
		return ClassUtils.isPresent(JDK, loader) ? "jdk" : null;
	}

	private static boolean areAnyPresent(ClassLoader loader, String... names) {
		return Stream.of(names).anyMatch((name) -> ClassUtils.isPresent(name, loader));
	}

	private static boolean areAllPresent(ClassLoader loader, String... names) {
		return Stream.of(names).allMatch((name) -> ClassUtils.isPresent(name, loader));
	}

}
