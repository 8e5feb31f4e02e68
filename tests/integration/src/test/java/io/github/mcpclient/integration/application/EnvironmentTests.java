package io.github.mcpclient.integration.application;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Endurance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client in applications of all kinds, and what surrounds it.
 */
class EnvironmentTests {

	@ParameterizedTest
	@EnumSource(WebApplicationType.class)
	void itStartsInEveryKindOfApplication(WebApplicationType type) {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ClientApplication application = ClientApplication.start(type, new Class<?>[0],
				"mcp.servers.a.url=" + server.url());
		assertThat(application.text("a_hello", Map.of("message", type.name()))).isEqualTo("hello " + type.name());
		if (type != WebApplicationType.NONE) {
			assertThat(application.get("/actuator/health").path("status").asString()).isEqualTo("UP");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "mcp.enabled=true", "mcp.enabled=false mcp.servers.a.url=x" })
	void withoutServersOrDisabledThereIsNothing(String properties) {
		ClientApplication application = ClientApplication.start(properties.split(" "));
		assertThat(application.registry().servers()).isEmpty();
		assertThat(application.tools().all()).isEmpty();
	}

	@Test
	void aChildSeesOnlyAHarmlessEnvironment() {
		String[] properties = ClientApplication.mini("child", "GIVEN=yes");
		List<String> names = List.of(ClientApplication.start(properties).text("child_env", Map.of()).split(" "));
		// PWD, OLDPWD, SHLVL and _ are the shell's own
		Set<String> harmless = Set.of("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "USER", "LOGNAME",
				"SHELL", "TMPDIR", "GIVEN", "MCP_CLIENT_CHILD", "PWD", "OLDPWD", "SHLVL", "_");
		assertThat(names).contains("PATH", "GIVEN").isSubsetOf(harmless);
		assertThat(System.getenv().keySet()).as("the environment of this test").isNotEmpty();
	}

	@Test
	void manyThreadsCallOneServerAndSeveral() throws Exception {
		int threads = 64;
		int calls = Endurance.times(20);
		McpTestServer one = closing(McpTestServer.create().tools("hello").start());
		McpTestServer two = closing(McpTestServer.create().tools("hello").start());
		List<String> properties = new ArrayList<>(
				List.of("mcp.servers.one.url=" + one.url(), "mcp.servers.two.url=" + two.url()));
		properties.addAll(List.of(ClientApplication.mini("child")));
		ClientApplication application = ClientApplication.start(properties.toArray(String[]::new));
		assertThat(application.state("child")).isEqualTo(McpServerState.READY);
		Map<String, String> answers = new ConcurrentHashMap<>();
		List<Callable<Void>> tasks = new ArrayList<>();
		for (int thread = 0; thread < threads; thread++) {
			String server = List.of("one", "two", "one").get(thread % 3);
			String id = server + "-" + thread;
			tasks.add(() -> {
				for (int i = 0; i < calls; i++) {
					answers.put(id + "-" + i, application.text(server + "_hello", Map.of("message", id + "-" + i)));
				}
				// one at a time, and each starts programs
				assertThat(application.text("child_pid", Map.of())).containsOnlyDigits();
				return null;
			});
		}
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			for (Future<Void> done : executor.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
				done.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(answers).hasSize(threads * calls);
		assertThat(answers).allSatisfy((id, answer) -> assertThat(answer).isEqualTo("hello " + id));
	}

}
