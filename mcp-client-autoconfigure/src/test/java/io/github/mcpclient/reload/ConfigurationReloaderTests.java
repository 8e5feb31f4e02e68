package io.github.mcpclient.reload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpoint.ReloadDescriptor;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.autoconfigure.McpEndpointAutoConfiguration;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpReloadEvent;
import io.github.mcpclient.event.McpReloadFailedEvent;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ConfigurationReloader}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationReloaderTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final String TWO = """
			mcp:
			  servers:
			    a:
			      url: http://localhost:9/a
			    b:
			      url: http://localhost:9/b
			""";

	// one of each kind of change, and a mistake in the last line
	private static final String WRONG = """
			mcp:
			  servers:
			    b:
			      url: http://localhost:9/c
			    c:
			      url: http://localhost:9/c
			      request-timeout: -1s
			""";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Configured.class)
		.withPropertyValues("mcp.startup.mode=lazy", "management.endpoints.web.exposure.include=mcp");

	@Test
	void whatDiffersIsAddedReplacedAndRemoved(CapturedOutput output) {
		run(TWO, (application) -> {
			ManagedMcpServer kept = application.server("a");
			assertThat(application.reload("""
					mcp:
					  servers:
					    a:
					      # moved
					      url: http://localhost:9/a
					    c:
					      url: http://localhost:9/c
					""")).isEqualTo(new McpReload(List.of("c"), List.of(), List.of(), List.of("b"), 1, List.of()));
			assertThat(application.names()).containsExactly("a", "c");
			assertThat(application.server("a")).isSameAs(kept);
			assertThat(application.event(McpReloadEvent.class).changes().added()).containsExactly("c");
			McpReload replaced = application.reload(TWO.replace("9/b", "9/other"));
			assertThat(replaced).hasToString("added: b; removed: c; unchanged: 1");
			assertThat(application.reload(TWO))
				.isEqualTo(new McpReload(List.of(), List.of("b"), List.of(), List.of(), 1, List.of()));
			assertThat(application.server("b").definition().http().url()).hasToString("http://localhost:9/b");
			assertThat(output).contains("was reloaded: added: c; removed: b; unchanged: 1");
		});
	}

	@Test
	void nothingIsSaidWhereNothingDiffers(CapturedOutput output) {
		run(TWO, (application) -> {
			assertThat(application.reload(TWO)).hasToString("unchanged: 2");
			application.reload(TWO + "    c:\n      url: http://localhost:9/c\n");
			assertThat(application.event(McpReloadEvent.class).changes().unchanged()).isEqualTo(2);
			assertThat(output).containsOnlyOnce("was reloaded");
		});
	}

	@Test
	void aMistakeChangesNothingAndStaysUntilItIsMended(CapturedOutput output) {
		run(TWO, (application) -> {
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(InvalidMcpConfigurationException.class)
					.isThrownBy(() -> application.reload(WRONG))
					.satisfies((ex) -> assertThat(ex.getProblems()).singleElement()
						.satisfies((problem) -> assertThat(problem.origin()).hasToString("application.yml - 7:24")));
			}
			assertThat(application.names()).containsExactly("a", "b");
			assertThat(application.server("b").definition().http().url()).hasToString("http://localhost:9/b");
			McpReloadFailure failure = application.reloader.failure().orElseThrow();
			assertThat(failure.message()).isEqualToNormalizingNewlines("""
					Invalid MCP server configuration (1 error):

					    Property: mcp.servers.c.request-timeout
					    Origin: application.yml - 7:24
					    Reason: The duration must be longer than zero.""");
			assertThat(application.event(McpReloadFailedEvent.class).failure()).isSameAs(failure);
			assertThat(output).containsOnlyOnce("The MCP servers are not reloaded, and remain unchanged. Invalid")
				.containsPattern("(?m)^Invalid MCP server configuration \\(1 error\\):");
			// mended by what was there before
			assertThat(application.reload(TWO).hasChanges()).isFalse();
			assertThat(application.reloader.failure()).isEmpty();
			assertThat(application.event(McpReloadEvent.class).changes().hasChanges()).isFalse();
		});
	}

	@Test
	void anotherMistakeIsToldAnew() {
		run(TWO, (application) -> {
			for (String mistake : List.of("first", "second")) {
				assertThatIllegalStateException().isThrownBy(() -> application.reload(() -> {
					throw new IllegalStateException(mistake + ": https://user:secret@localhost\u001B[0m");
				}))
					.withMessage(
							"The configuration of the MCP servers cannot be read: " + mistake + ": https://localhost")
					.withNoCause();
				assertThat(application.event(McpReloadFailedEvent.class).failure().message()).contains(mistake);
			}
			assertThat(application.reloader.failure()).hasValueSatisfying((failure) -> {
				assertThat(failure.message()).contains("second");
				assertThat(failure.problems()).isEmpty();
			});
		});
	}

	@Test
	void serversThatCodeHasAddedStay() {
		run(TWO, (application) -> {
			McpServerManager manager = application.context.getBean(McpServerManager.class);
			manager.add(McpServerDefinition.http("own", URI.create("http://localhost:9/own")).build());
			assertThat(application.reload("mcp.servers.a.url: http://localhost:9/a").removed()).containsExactly("b");
			assertThat(application.names()).containsExactly("a", "own");
			assertThatExceptionOfType(InvalidMcpConfigurationException.class)
				.isThrownBy(() -> application.reload(TWO + "    O_WN:\n      url: http://localhost:9/c\n"))
				.satisfies((ex) -> assertThat(ex.getProblems()).singleElement().satisfies((problem) -> {
					assertThat(problem.property()).isEqualTo("mcp.servers.O_WN");
					assertThat(problem.message()).startsWith("There is also 'own', which is the same name");
					assertThat(problem.origin()).hasToString("application.yml - 8:12");
				}));
		});
	}

	@Test
	void whatAnOperatorHasDisabledStaysSo() {
		run(TWO, (application) -> {
			application.context.getBean(McpServerManager.class).disable("a");
			assertThat(application.reload(TWO).hasChanges()).isFalse();
			assertThat(application.server("a").definition().enabled()).isFalse();
			assertThat(application.reload(TWO.replace("9/b", "9/b\n      enabled: false")).replaced())
				.containsExactly("b");
			assertThat(application.reload(TWO).replaced()).containsExactly("b");
			assertThat(application.server("b").definition().enabled()).isTrue();
			assertThat(application.server("a").definition().enabled()).isFalse();
		});
	}

	@Test
	void defaultsAreThoseOfAllServers() {
		run(TWO, (application) -> {
			McpReload changes = application.reload(TWO + "  defaults:\n    request-timeout: 7s\n");
			assertThat(changes.replaced()).containsExactly("a", "b");
			assertThat(application.server("a").definition().timeouts().request()).hasSeconds(7);
			assertThat(application
				.reload(TWO + "  defaults:\n    request-timeout: 7s\n    tools:\n      access: read-only\n")
				.updated()).containsExactly("a", "b");
		});
	}

	@Test
	void whatIsOfNoServerNeedsARestart(CapturedOutput output) {
		run(TWO, (application) -> {
			String changed = TWO + "  startup:\n    wait: 3s\n  tools:\n    filter: 'a_*'\n";
			for (int i = 0; i < 2; i++) {
				assertThat(application.reload(changed).restart()).containsExactly("mcp.startup", "mcp.tools");
			}
			assertThat(output)
				.containsOnlyOnce("These properties have changed, which takes effect only after a restart: "
						+ "mcp.startup, mcp.tools");
		});
	}

	@Test
	void warningsAreThoseOfTheConfigurationThatHolds(CapturedOutput output) {
		run(TWO, (application) -> {
			McpEndpoint endpoint = application.context.getBean(McpEndpoint.class);
			String warned = "mcp:\n  servers:\n    a:\n      package: npm:name\n";
			application.reload(warned);
			application.reload(warned + "    b:\n      url: http://localhost:9/b\n");
			assertThat(endpoint.servers().warnings()).singleElement()
				.asString()
				.startsWith("mcp.servers.a.package has no version");
			assertThat(output).containsOnlyOnce("mcp.servers.a.package has no version");
			application.reload(TWO);
			assertThat(endpoint.servers().warnings()).isEmpty();
		});
	}

	@Test
	void theClientOfSpringAiIsMissedOnce(CapturedOutput output) {
		String none = "spring.ai.mcp.client.sse.connections.a.url: http://localhost:9/a\n";
		run(none, (application) -> {
			McpEndpoint endpoint = application.context.getBean(McpEndpoint.class);
			application.reload(none);
			assertThat(endpoint.servers().warnings()).hasSize(1);
			application.reload(none + TWO);
			assertThat(endpoint.servers().warnings()).isEmpty();
			application.reload(none);
			assertThat(output).containsOnlyOnce("spring.ai.mcp.client");
		});
	}

	@Test
	void actuatorReloadsAndShowsMistakes() {
		run(TWO, (application) -> {
			McpEndpoint endpoint = application.context.getBean(McpEndpoint.class);
			assertThat(endpoint.servers().reloadFailure()).isNull();
			application.live(WRONG);
			ReloadDescriptor failed = endpoint.reload("reload").block(LIMIT);
			assertThat(failed.changes()).isNull();
			assertThat(failed.failure()).isEqualTo(endpoint.servers().reloadFailure());
			assertThat(failed.failure().problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("mcp.servers.c.request-timeout");
				assertThat(problem.origin()).isEqualTo("application.yml - 7:24");
				assertThat(problem.reason()).isEqualTo("The duration must be longer than zero.");
			});
			application.live("mcp.servers.b.url: http://localhost:9/b");
			assertThat(endpoint.reload("Reload").block(LIMIT).changes().removed()).containsExactly("a");
			assertThat(endpoint.servers().reloadFailure()).isNull();
		});
	}

	@Test
	void reloadsAreMadeOneAfterAnotherAndSharedByThoseWhoWait() {
		run(TWO, (application) -> {
			CountDownLatch begun = new CountDownLatch(1);
			CountDownLatch go = new CountDownLatch(1);
			AtomicInteger reads = new AtomicInteger();
			ConfigurationReloader reloader = application.reloader(() -> {
				reads.incrementAndGet();
				begun.countDown();
				await(go);
				return environment(TWO);
			});
			Mono<McpReload> first = reloader.reloadAsync();
			assertThat(reads).hasValue(0);
			Mono<McpReload> cached = first.cache();
			cached.subscribe();
			await(begun);
			Mono<List<McpReload>> others = Flux.merge(Stream.generate(reloader::reloadAsync).limit(20).toList())
				.collectList()
				.cache();
			others.subscribe();
			go.countDown();
			assertThat(others.block(LIMIT)).hasSize(20);
			assertThat(cached.block(LIMIT).unchanged()).isEqualTo(2);
			assertThat(reads).hasValue(2);
			reloader.destroy();
		});
	}

	@Test
	void waitsOnNoThreadThatMustNotBlock() {
		run(TWO, (application) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> Mono.fromCallable(application.reloader::reload)
					.subscribeOn(Schedulers.parallel())
					.block(LIMIT))
				.withMessageContaining("must not block: use reloadAsync there");
			assertThat(Mono.defer(application.reloader::reloadAsync)
				.subscribeOn(Schedulers.parallel())
				.block(LIMIT)
				.unchanged()).isEqualTo(2);
		});
	}

	@Test
	void aListenerMayReload() {
		run(TWO, (application) -> {
			BlockingQueue<McpReload> again = new LinkedBlockingQueue<>();
			application.context.getBean(Listener.class).then = () -> again.add(application.reload(TWO));
			application.reload("mcp.servers.a.url: http://localhost:9/a");
			assertThat(poll(again).added()).containsExactly("b");
		});
	}

	@Test
	void aCustomizerThatReloadsFailsAtOnce() {
		AtomicReference<Application> customized = new AtomicReference<>();
		this.runner.withBean(McpServerCustomizer.class, () -> (name, server) -> {
			Application application = customized.get();
			if (application != null) {
				application.reload(TWO);
			}
		}).run((context) -> {
			customized.set(new Application(context));
			assertThatIllegalStateException().isThrownBy(() -> customized.get().reload(TWO))
				.withMessageContaining("use reloadAsync in code that a reload calls");
			customized.set(null);
			assertThat(new Application(context).reload(TWO).added()).containsExactly("a", "b");
		});
	}

	@Test
	void aCustomizerThatFailsChangesNothing() {
		AtomicInteger broken = new AtomicInteger();
		this.runner.withBean(McpServerCustomizer.class, () -> (name, server) -> {
			if (broken.get() > 0) {
				throw new IllegalArgumentException("no " + name);
			}
		}).run((context) -> {
			Application application = new Application(context);
			application.reload(TWO);
			broken.set(1);
			assertThatIllegalStateException().isThrownBy(() -> application.reload(WRONG)).withMessageContaining("no b");
			assertThat(application.names()).containsExactly("a", "b");
		});
	}

	@Test
	void whatWasReloadedWhilePausedIsThereAfterTheStart() {
		run(TWO, (application) -> {
			application.context.stop();
			application.reload("mcp.servers.c.url: http://localhost:9/c");
			application.context.start();
			assertThat(application.names()).containsExactly("c");
			assertThat(application.server("c").status().state()).hasToString("IDLE");
		});
	}

	@Test
	void nothingIsReloadedWhenTheApplicationHasStopped(CapturedOutput output) {
		run(TWO, (application) -> {
			CountDownLatch begun = new CountDownLatch(1);
			Mono<McpReload> running = Mono.fromCallable(() -> application.reload(() -> {
				begun.countDown();
				await(new CountDownLatch(1));
				return environment(WRONG);
			})).subscribeOn(Schedulers.boundedElastic()).cache();
			running.subscribe(null, (ex) -> {
			});
			await(begun);
			Mono<McpReload> waiting = application.reloader.reloadAsync().cache();
			waiting.subscribe(null, (ex) -> {
			});
			application.context.close();
			for (Mono<McpReload> reload : List.of(running, waiting, application.reloader.reloadAsync())) {
				assertThatIllegalStateException().isThrownBy(() -> reload.block(LIMIT))
					.withMessageContaining("the application stops");
			}
			assertThat(output).doesNotContain("remain unchanged");
		});
	}

	@Test
	void aDisabledClientIsNotReloaded() {
		this.runner.withPropertyValues("mcp.enabled=false").run((context) -> {
			McpServerReloader reloader = context.getBean("mcpServerReloader", McpServerReloader.class);
			assertThatIllegalStateException().isThrownBy(reloader::reload)
				.withMessageContaining("the MCP client is disabled (mcp.enabled is false)");
			assertThatIllegalStateException().isThrownBy(() -> reloader.reloadAsync().block(LIMIT));
			assertThat(reloader.failure()).isEmpty();
		});
	}

	@Test
	void nothingIsThereBeforeItIsAskedFor() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(McpServerReloader.class);
			assertThat(context.getBeanFactory().containsSingleton("mcpServerReloader")).isFalse();
		});
	}

	private void run(String yaml, Consumer<Application> test) {
		this.runner.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(source(yaml)))
			.run((context) -> test.accept(new Application(context)));
	}

	private static ConfigurableEnvironment environment(String yaml) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(source(yaml));
		environment.getPropertySources().addLast(new MapPropertySource("lazy", Map.of("mcp.startup.mode", "lazy")));
		return environment;
	}

	private static PropertySource<?> source(String yaml) {
		try {
			return new YamlPropertySourceLoader()
				.load("application.yml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)) {

					@Override
					public String getDescription() {
						return "application.yml";
					}

					@Override
					public String toString() {
						return getDescription();
					}

				})
				.get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static <T> T poll(BlockingQueue<T> queue) {
		try {
			T next = queue.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
			assertThat(next).isNotNull();
			return next;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * An application whose servers connect at their first use.
	 */
	private record Application(ConfigurableApplicationContext context, ConfigurationReloader reloader) {

		Application(ConfigurableApplicationContext context) {
			this(context, (ConfigurationReloader) context.getBean(McpServerReloader.class));
		}

		ConfigurationReloader reloader(Supplier<ConfigurableEnvironment> environment) {
			return new ConfigurationReloader(environment, this.context.getBean(McpServersConfig.class),
					this.context.getBean(DefaultMcpServerRegistry.class), this.context,
					this.context.getBean(ClientThreads.class).scheduler());
		}

		McpReload reload(String yaml) {
			return reload(() -> environment(yaml));
		}

		McpReload reload(Supplier<ConfigurableEnvironment> environment) {
			return this.reloader.reload(environment);
		}

		// change what a reload without an environment of its own reads
		void live(String yaml) {
			this.context.getEnvironment().getPropertySources().replace("application.yml", source(yaml));
		}

		ManagedMcpServer server(String name) {
			return this.context.getBean(McpServerManager.class).server(name);
		}

		List<String> names() {
			return this.context.getBean(McpServerManager.class).servers().stream().map(ManagedMcpServer::name).toList();
		}

		<T> T event(Class<T> type) {
			return type.cast(poll(this.context.getBean(Listener.class).events));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpReloadAutoConfiguration.class,
			McpEndpointAutoConfiguration.class })
	@Import(Listener.class)
	static class Configured {

	}

	static class Listener {

		private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

		private volatile Runnable then = () -> {
		};

		@EventListener({ McpReloadEvent.class, McpReloadFailedEvent.class })
		void reloaded(Object event) {
			this.events.add(event);
			this.then.run();
		}

		@EventListener
		void notReloaded(McpReloadFailedEvent event) {
			System.out.println(event.failure().message());
		}

	}

}
