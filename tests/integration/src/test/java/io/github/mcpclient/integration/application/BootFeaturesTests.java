package io.github.mcpclient.integration.application;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.declared.ImportMcpToolClients;
import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.OverridingClassLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What Spring Boot and the tools around it change in the start of an application.
 */
class BootFeaturesTests {

	private static final McpTestServer server = McpTestServer.create()
		.tool("dice",
				McpTestReply.result(
						Map.of("content", List.of(), "structuredContent", Map.of("rolls", List.of(1, 2), "total", 3))))
		.start();

	private static final String URL = "mcp.servers.a.url=" + server.url();

	private final Leaks leaks = new Leaks();

	@AfterAll
	static void stop() {
		server.close();
	}

	/**
	 * A training run for a cache of the JDK ends here: with
	 * {@code spring.context.exit=onRefresh}, Spring halts the JVM in this method.
	 */
	@Test
	void aTrainingRunConnectsToNoServerAndStartsNone(@TempDir Path folder) {
		Path started = folder.resolve("started");
		int connected = server.requests("initialize").size();
		assertThatIllegalStateException()
			.isThrownBy(() -> ClientApplication.start(Exits.class, URL, "mcp.servers.child.command=touch",
					"mcp.servers.child.args=" + started))
			.withMessage("onRefresh");
		assertThat(server.requests("initialize")).hasSize(connected);
		assertThat(started).doesNotExist();
	}

	@Test
	void lazyInitializationOfBeansDelaysNoServer() {
		ClientApplication application = ClientApplication.start(Restarted.class, URL,
				"spring.main.lazy-initialization=true");
		assertThat(application.context().getBeanFactory().containsSingleton("diceTotal")).isFalse();
		assertThat(application.state("a")).isEqualTo(McpServerState.READY);
		assertThat(application.context().getBean("a_dice")).isInstanceOf(McpTool.class);
		assertThat(application.context().getBean(IntSupplier.class).getAsInt()).isEqualTo(3);
	}

	/**
	 * As DevTools do, which keep the classes of libraries and load those of the
	 * application again.
	 */
	@Test
	void classesOfTheApplicationMayBeLoadedAgain() throws Exception {
		ClassLoader usual = Thread.currentThread().getContextClassLoader();
		for (int i = 0; i < 2; i++) {
			ClassLoader loader = new Restart();
			Thread.currentThread().setContextClassLoader(loader);
			try (ClientApplication application = ClientApplication.start(loader.loadClass(Restarted.class.getName()),
					URL)) {
				Object client = application.context().getBean(loader.loadClass(Dice.class.getName()));
				assertThat(client.getClass().getClassLoader()).isSameAs(loader);
				assertThat(application.context().getBean(IntSupplier.class).getAsInt()).isEqualTo(3);
			}
			finally {
				Thread.currentThread().setContextClassLoader(usual);
			}
			await().untilAsserted(() -> assertThat(server.sessions()).isEmpty());
		}
		this.leaks.assertNone();
	}

	private static final class Restart extends OverridingClassLoader {

		private Restart() {
			super(BootFeaturesTests.class.getClassLoader());
		}

		@Override
		protected boolean isEligibleForOverriding(String name) {
			return name.startsWith(BootFeaturesTests.class.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Exits {

		@Bean
		DefaultLifecycleProcessor lifecycleProcessor() {
			return new DefaultLifecycleProcessor() {

				@Override
				public void onRefresh() {
					throw new IllegalStateException("onRefresh");
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(Dice.class)
	static class Restarted {

		@Bean
		IntSupplier diceTotal(Dice dice, @Qualifier("a_dice") McpTool tool) {
			return () -> tool.available() ? dice.dice().total() : -1;
		}

	}

	@McpToolClient("a")
	interface Dice {

		Roll dice();

		record Roll(List<Integer> rolls, int total) {
		}

	}

}
