package io.github.mcpclient.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.cloud.autoconfigure.ConfigurationPropertiesRebinderAutoConfiguration;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.config.annotation.RefreshScope;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that Spring Cloud refreshes, which binds what has properties again, and
 * creates beans of its scope again.
 */
class SpringCloudRefreshTests {

	private final McpTestServer server = closing(McpTestServer.create().tools("echo").start());

	@Test
	void aRefreshOfOtherPropertiesLeavesServersAndToolsAlone(@TempDir Path folder) throws IOException {
		Path file = Files.writeString(folder.resolve("refreshed.properties"), "greeting=hello");
		ClientApplication application = ClientApplication.start(Refreshed.class, "spring.config.import=" + file.toUri(),
				"mcp.servers.a.url=" + this.server.url());
		ApplicationContext context = application.context();
		McpServerRegistry registry = application.registry();
		McpProperties properties = context.getBean(McpProperties.class);
		Greeting greeting = context.getBean(Greeting.class);
		assertThat(greeting.send()).isEqualTo("echo hello");
		Files.writeString(file, "greeting=good morning");
		assertThat(context.getBean(ContextRefresher.class).refresh()).containsExactly("greeting");
		assertThat(greeting.send()).isEqualTo("echo good morning");
		assertThat(context.getBean("a_echo")).isInstanceOf(McpTool.class);
		assertThat(application.registry()).isSameAs(registry);
		assertThat(context.getBean(McpProperties.class)).isSameAs(properties).isEqualTo(properties);
		assertThat(application.state("a")).isEqualTo(McpServerState.READY);
		assertThat(this.server.requests("initialize")).hasSize(1);
		assertThat(context.getBean(AtomicInteger.class)).as("one interceptor, once for each call").hasValue(2);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RefreshAutoConfiguration.class, ConfigurationPropertiesRebinderAutoConfiguration.class })
	static class Refreshed {

		@Bean
		@RefreshScope
		Greeting greeting(@Qualifier("a_echo") McpTool echo, @Value("${greeting}") String text) {
			return new Greeting(echo, text);
		}

		@Bean
		AtomicInteger intercepted() {
			return new AtomicInteger();
		}

		@Bean
		@RefreshScope
		McpToolInterceptor interceptor(AtomicInteger intercepted) {
			return (tool, request, chain) -> {
				intercepted.incrementAndGet();
				return chain.proceed(request);
			};
		}

	}

	static class Greeting {

		private final McpTool echo;

		private final String text;

		// for the proxy
		Greeting() {
			this(null, "");
		}

		Greeting(McpTool echo, String text) {
			this.echo = echo;
			this.text = text;
		}

		String send() {
			return this.echo.call(Map.of("message", this.text)).text();
		}

	}

}
