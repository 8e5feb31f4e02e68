package io.github.mcpclient.internal.httpclient;

import java.lang.reflect.Field;

import net.bytebuddy.ByteBuddy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.SimpleClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JdkClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ReflectionUtils;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * That an application has the HTTP clients that it has without this library. The class
 * path of the tests is that of one with {@code spring-boot-starter-webflux}.
 */
class ApplicationHttpClientsTests {

	private static final String FACTORY = "spring.http.clients.imperative.factory";

	private static final String CONNECTOR = "spring.http.clients.reactive.connector";

	private static final ClassLoader WITHOUT_BOOTS_MODULE = new FilteredClassLoader(
			"org.springframework.boot.reactor.netty.");

	@Test
	void withoutReactorNettyTheyAreTheJdks() {
		assertClients(start(WITHOUT_BOOTS_MODULE), JdkClientHttpRequestFactoryBuilder.class,
				JdkClientHttpConnectorBuilder.class);
	}

	@Test
	void withTheModulesOfBootAloneToo() {
		assertClients(start(new FilteredClassLoader("org.springframework.web.reactive.function.client.")),
				JdkClientHttpRequestFactoryBuilder.class, JdkClientHttpConnectorBuilder.class);
	}

	@Test
	void withReactorNettyTheyAreOnThat() {
		ConfigurableApplicationContext context = start(getClass().getClassLoader());
		assertClients(context, ReactorClientHttpRequestFactoryBuilder.class, ReactorClientHttpConnectorBuilder.class);
		assertThat(context.getEnvironment().containsProperty(FACTORY)).isFalse();
		assertThat(context.getEnvironment().containsProperty(CONNECTOR)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "JettyClientHttpRequestFactoryBuilder, , jdk", "HttpComponentsClientHttpRequestFactoryBuilder, , jdk",
			"reactive.JettyClientHttpConnectorBuilder, , jetty",
			"reactive.HttpComponentsClientHttpConnectorBuilder, jdk, http-components" })
	void whatBootPrefersIsLeft(String detected, @Nullable String factory, String connector) throws Exception {
		StandardEnvironment environment = new StandardEnvironment();
		SpringApplication application = new SpringApplication(
				new DefaultResourceLoader(detecting("org.springframework.boot.http.client." + detected)));
		new ApplicationHttpClients().postProcessEnvironment(environment, application);
		assertThat(environment.getProperty(FACTORY)).isEqualTo(factory);
		assertThat(environment.getProperty(CONNECTOR)).isEqualTo(connector);
	}

	@Test
	void withoutTheJdksTheyAreTheSimplest() {
		assertClients(start(new FilteredClassLoader("org.springframework.boot.reactor.netty.", "java.net.http.")),
				SimpleClientHttpRequestFactoryBuilder.class, ReactorClientHttpConnectorBuilder.class);
	}

	@Test
	void whatTheApplicationSetsComesFirstWhereverThatIs() {
		assertClients(start(WITHOUT_BOOTS_MODULE, "--" + FACTORY + "=simple", "--" + CONNECTOR + "=reactor"),
				SimpleClientHttpRequestFactoryBuilder.class, ReactorClientHttpConnectorBuilder.class);
		assertClients(closing(application(WITHOUT_BOOTS_MODULE).properties(FACTORY + "=reactor").run()),
				ReactorClientHttpRequestFactoryBuilder.class, JdkClientHttpConnectorBuilder.class);
		assertClients(closing(application(WITHOUT_BOOTS_MODULE).sources(Simple.class).run()),
				SimpleClientHttpRequestFactoryBuilder.class, JdkClientHttpConnectorBuilder.class);
	}

	private static void assertClients(ConfigurableApplicationContext context, Class<?> factory, Class<?> connector) {
		assertThat(context.getBean(ClientHttpRequestFactoryBuilder.class)).isInstanceOf(factory);
		assertThat(context.getBean(ClientHttpConnectorBuilder.class)).isInstanceOf(connector);
	}

	/**
	 * A class loader with classes by which Boot detects what a builder needs.
	 */
	private static ClassLoader detecting(String builder) throws Exception {
		ClassLoader loader = WITHOUT_BOOTS_MODULE;
		for (Field name : Class.forName(builder + "$Classes").getDeclaredFields()) {
			ReflectionUtils.makeAccessible(name);
			loader = new ByteBuddy().subclass(Object.class)
				.name((String) name.get(null))
				.make()
				.load(loader)
				.getLoaded()
				.getClassLoader();
		}
		return loader;
	}

	private static ConfigurableApplicationContext start(ClassLoader loader, String... arguments) {
		return closing(application(loader).run(arguments));
	}

	private static SpringApplicationBuilder application(ClassLoader loader) {
		return new SpringApplicationBuilder(new DefaultResourceLoader(loader), Application.class)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ HttpClientAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class,
			ReactiveHttpClientAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@PropertySource("classpath:simple-http-clients.properties")
	static class Simple {

	}

}
