package io.github.mcpclient.integration.application;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Servers that connect at their first use.
 */
class LazyTests {

	private final McpTestServer one = McpTestServer.create()
		.tools("hello")
		.on("POST", McpTestReply.standard().after(Duration.ofMillis(100)))
		.start();

	private final McpTestServer two = McpTestServer.create().tools("hello").start();

	@Test
	void nothingIsContactedBeforeTheFirstUseAndLookingIsNoUse() {
		ClientApplication application = start(WebApplicationType.SERVLET, new Class<?>[0],
				"management.endpoints.web.exposure.include=mcp,health,info");
		assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.IDLE);
		assertThat(application.get("/actuator/health").path("status").asString()).isEqualTo("UP");
		assertThat(application.get("/actuator/mcp/one").path("state").asString()).isEqualTo("IDLE");
		application.get("/actuator/info");
		assertThat(application.registry().server("one").tools()).isEmpty();
		assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.IDLE);
		assertThat(this.one.requests("initialize").size() + this.two.requests("initialize").size()).isZero();
	}

	@Test
	void theFirstReadOfTheCatalogConnectsAllAndWaits() {
		ClientApplication application = start();
		assertThat(application.tools().all()).extracting(McpTool::name).containsExactly("one_hello", "two_hello");
		assertThat(states(application)).containsExactly(McpServerState.READY, McpServerState.READY);
		assertThat(application.context().getBean("one_hello")).isInstanceOf(McpTool.class);
	}

	@Test
	void anOperationOfOneServerConnectsThatOne() {
		ClientApplication application = start();
		McpServerStatus status = application.manager().server("one").refresh();
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
		assertThat(states(application)).containsExactly(McpServerState.READY, McpServerState.IDLE);
		assertThat(application.registry().server("one").tools()).hasSize(1);
		assertThat(this.two.requests("initialize")).isEmpty();
	}

	@Test
	void aLookUpThatDoesNotBlockConnectsTheServersOfThatName() {
		ClientApplication application = start();
		for (McpToolCatalog tools : List.of(application.tools(), application.tools().select("one_*"),
				application.tools().forCaller())) {
			McpTool tool = tools.getAsync("one_hello").subscribeOn(Schedulers.parallel()).block(LIMIT);
			assertThat(tool).isNotNull().extracting(McpTool::name).isEqualTo("one_hello");
			assertThatExceptionOfType(NoSuchMcpToolException.class)
				.isThrownBy(() -> tools.getAsync("one_hallo").subscribeOn(Schedulers.parallel()).block(LIMIT))
				.withMessage("No MCP tool 'one_hallo'. Did you mean one_hello?");
		}
		assertThat(states(application)).containsExactly(McpServerState.READY, McpServerState.IDLE);
	}

	@Test
	void usersThatArriveMeanwhileShareTheAttempt() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(20);
		afterTest(executor::shutdownNow);
		ClientApplication application = start();
		List<Callable<String>> users = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			users.add(() -> application.text("one_hello", Map.of("message", "x")));
		}
		for (Future<String> answer : executor.invokeAll(users, 30, TimeUnit.SECONDS)) {
			assertThat(answer.get()).isEqualTo("hello x");
		}
		assertThat(this.one.requests("initialize")).hasSize(1);
		await().until(() -> this.two.requests("initialize").size() == 1);
	}

	@Test
	void aUserThatGivesUpDoesNotCancelTheAttempt() {
		ClientApplication application = start();
		Disposable user = application.manager().server("one").reconnectAsync().subscribe();
		user.dispose();
		await().until(() -> application.state("one") == McpServerState.READY);
		assertThat(this.one.requests("initialize")).hasSize(1);
	}

	@Test
	void theFirstUseWaitsNoLongerThanTheStartupWait() throws IOException {
		ServerSocket silent = closing(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
		ClientApplication application = start("mcp.startup.wait=1s",
				"mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp",
				"mcp.servers.silent.initialization-timeout=1h");
		long begin = System.nanoTime();
		application.tools().all();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(900));
		// it did not wait for the attempt to end
		assertThat(application.state("silent")).isEqualTo(McpServerState.CONNECTING);
		await().untilAsserted(() -> assertThat(application.tools().all()).hasSize(2));
	}

	@Test
	void aRequiredServerConnectsEagerly() {
		ClientApplication application = start("mcp.servers.two.required=true");
		assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.READY);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLateBeanMayReadTheCatalogInItsConstructor(boolean onTheThreadOfTheStart) throws Exception {
		ExecutorService main = daemon();
		ExecutorService other = onTheThreadOfTheStart ? main : daemon();
		try {
			ClientApplication application = main.submit(() -> start(Late.class)).get(30, TimeUnit.SECONDS);
			Future<Late> late = other.submit(() -> application.context().getBean(Late.class));
			// would not end, either, if one waited for the other
			Future<?> close = main.submit(() -> {
				late.get(30, TimeUnit.SECONDS);
				application.tools().all();
				assertThat(application.context().getBean("one_hello")).isInstanceOf(McpTool.class);
				application.close();
				return null;
			});
			close.get(60, TimeUnit.SECONDS);
			assertThat(late.get().tools).containsExactly("one_hello", "two_hello");
		}
		finally {
			main.shutdownNow();
			other.shutdownNow();
		}
	}

	@Test
	void aReaderOnAnEventLoopDoesNotWaitForBeans() throws Exception {
		ExecutorService creator = daemon();
		CountDownLatch created = new CountDownLatch(1);
		try {
			ClientApplication application = start(Blocking.class);
			Blocking.entered = new CountDownLatch(1);
			Blocking.go = created;
			Future<Object> blocking = creator.submit(() -> application.context().getBean("blocking"));
			Blocking.entered.await();
			Mono<List<McpTool>> read = Mono.fromCallable(application.tools()::all).subscribeOn(Schedulers.parallel());
			read.block(LIMIT);
			await().until(() -> states(application).equals(List.of(McpServerState.READY, McpServerState.READY)));
			assertThat(read.block(LIMIT)).hasSize(2);
			assertThat(blocking).as("it still holds the lock of the bean factory").isNotDone();
			// nor does the stop of the connections wait for them
			onAThreadOfItsOwn(application.context()::stop).get(30, TimeUnit.SECONDS);
			created.countDown();
			blocking.get(30, TimeUnit.SECONDS);
			onAThreadOfItsOwn(application::close).get(30, TimeUnit.SECONDS);
		}
		finally {
			created.countDown();
			creator.shutdownNow();
		}
	}

	private static Future<?> onAThreadOfItsOwn(Runnable task) {
		ExecutorService executor = daemon();
		Future<?> done = executor.submit(task);
		executor.shutdown();
		return done;
	}

	private static ExecutorService daemon() {
		return Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task, "late");
			thread.setDaemon(true);
			return thread;
		});
	}

	private ClientApplication start(String... more) {
		return start(WebApplicationType.NONE, new Class<?>[0], more);
	}

	private ClientApplication start(Class<?> source) {
		return start(WebApplicationType.NONE, new Class<?>[] { source });
	}

	private ClientApplication start(WebApplicationType type, Class<?>[] sources, String... more) {
		List<String> properties = new ArrayList<>(List.of("mcp.startup.mode=lazy",
				"mcp.servers.one.url=" + this.one.url(), "mcp.servers.two.url=" + this.two.url()));
		properties.addAll(List.of(more));
		return ClientApplication.start(type, sources, properties.toArray(String[]::new));
	}

	private static List<McpServerState> states(ClientApplication application) {
		return List.of(application.state("one"), application.state("two"));
	}

	@Lazy
	@Component
	static class Late {

		final List<String> tools;

		Late(McpToolCatalog catalog) {
			this.tools = catalog.all().stream().map(McpTool::name).toList();
		}

	}

	static class Blocking {

		static volatile CountDownLatch entered;

		static volatile CountDownLatch go;

		@Bean
		@Lazy
		Object blocking() throws InterruptedException {
			entered.countDown();
			go.await();
			return new Object();
		}

	}

}
