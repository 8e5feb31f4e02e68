package io.github.mcpclient.integration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.TestMcpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that connect at their first use.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LazyTests {

	private final TestMcpServer one = TestMcpServer.builder().tools("hello").delay(Duration.ofMillis(100)).start();

	private final TestMcpServer two = TestMcpServer.withTools("hello");

	@AfterEach
	void close() {
		this.one.close();
		this.two.close();
	}

	@Test
	void nothingIsContactedBeforeTheFirstUseAndLookingIsNoUse() {
		try (ClientApplication application = start("management.endpoints.web.exposure.include=mcp,health,info")) {
			assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.IDLE);
			assertThat(application.get("/actuator/health").path("status").asString()).isEqualTo("UP");
			assertThat(application.get("/actuator/mcp/one").path("state").asString()).isEqualTo("IDLE");
			application.get("/actuator/info");
			assertThat(application.registry().server("one").tools()).isEmpty();
			assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.IDLE);
			assertThat(this.one.initializations() + this.two.initializations()).isZero();
		}
	}

	@Test
	void theFirstReadOfTheCatalogConnectsAllAndWaits() {
		try (ClientApplication application = start()) {
			assertThat(application.tools().all()).extracting(McpTool::name).containsExactly("one_hello", "two_hello");
			assertThat(states(application)).containsExactly(McpServerState.READY, McpServerState.READY);
			assertThat(application.context().getBean("one_hello")).isInstanceOf(McpTool.class);
		}
	}

	@Test
	void aCallIsAUse() {
		try (ClientApplication application = start()) {
			assertThat(application.text("two_hello", Map.of("message", "x"))).isEqualTo("hello x");
		}
	}

	@Test
	void anOperationOfOneServerConnectsThatOne() {
		try (ClientApplication application = start()) {
			McpServerStatus status = application.registry().server("one").refresh().block(Duration.ofSeconds(30));
			assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
			assertThat(states(application)).containsExactly(McpServerState.READY, McpServerState.IDLE);
			assertThat(application.registry().server("one").tools()).hasSize(1);
			assertThat(this.two.initializations()).isZero();
		}
	}

	@Test
	void usersThatArriveMeanwhileShareTheAttempt() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(20);
		try (ClientApplication application = start()) {
			List<Callable<String>> users = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				users.add(() -> application.text("one_hello", Map.of("message", "x")));
			}
			for (Future<String> answer : executor.invokeAll(users, 30, TimeUnit.SECONDS)) {
				assertThat(answer.get()).isEqualTo("hello x");
			}
			assertThat(this.one.initializations()).isEqualTo(1);
			assertThat(this.two.initializations()).isEqualTo(1);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void aUserThatGivesUpDoesNotCancelTheAttempt() {
		try (ClientApplication application = start()) {
			Disposable user = application.registry().server("one").reconnect().subscribe();
			user.dispose();
			await().atMost(Duration.ofSeconds(30)).until(() -> application.state("one") == McpServerState.READY);
			assertThat(this.one.initializations()).isEqualTo(1);
		}
	}

	@Test
	void theFirstUseWaitsNoLongerThanTheStartupWait() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				ClientApplication application = start("mcp.startup.wait=1s",
						"mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp",
						"mcp.servers.silent.initialization-timeout=1h")) {
			long begin = System.nanoTime();
			application.tools().all();
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(900));
			// it did not wait for the attempt to end
			assertThat(application.state("silent")).isEqualTo(McpServerState.CONNECTING);
			await().untilAsserted(() -> assertThat(application.tools().all()).hasSize(2));
		}
	}

	@Test
	void aRequiredServerConnectsEagerly() {
		try (ClientApplication application = start("mcp.servers.two.required=true")) {
			assertThat(states(application)).containsExactly(McpServerState.IDLE, McpServerState.READY);
		}
	}

	private ClientApplication start(String... more) {
		List<String> properties = new ArrayList<>(List.of("mcp.startup.mode=lazy",
				"mcp.servers.one.url=" + this.one.url(), "mcp.servers.two.url=" + this.two.url()));
		properties.addAll(List.of(more));
		return ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0], properties.toArray(String[]::new));
	}

	private static List<McpServerState> states(ClientApplication application) {
		return List.of(application.state("one"), application.state("two"));
	}

}
