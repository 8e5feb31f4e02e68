package io.github.mcpclient.integration.application;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ClientMain;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.Role;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications that ask for virtual threads, on the JDK that runs the tests and on JDK 25
 * where one is installed.
 */
class VirtualThreadsTests {

	private static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled=true";

	@Test
	void thePropertyDoesNoHarmOnAnyJdk() {
		ClientApplication application = start(closing(McpTestServer.create().tools("echo").start()), "http");
		assertThat(application.state("http")).isEqualTo(McpServerState.READY);
		assertThat(application.state("child")).isEqualTo(McpServerState.READY);
		assertThat(application.text("http_echo", Map.of("message", "hello"))).contains("hello");
		assertThat(application.text("child_pid", Map.of())).matches("\\d+");
	}

	@Test
	void virtualThreadsCallTools() throws Exception {
		ExecutorService executor = virtualThreads();
		Assumptions.assumeTrue(executor != null, "This JDK has no virtual threads: the test needs 21 or later");
		afterTest(executor::shutdownNow);
		ClientApplication application = start(closing(McpTestServer.create().tools("echo").start()), "http");
		McpToolExecutor tools = application.context().getBean(McpToolExecutor.class);
		List<Callable<String>> calls = IntStream.range(0, 200)
			.<Callable<String>>mapToObj(
					(i) -> () -> (i % 10 == 0) ? "child " + tools.execute("child_pid", Map.of()).isError()
							: tools.execute("http_echo", Map.of("message", "m" + i)).text())
			.toList();
		List<Future<String>> results = executor.invokeAll(calls, 60, TimeUnit.SECONDS);
		for (int i = 0; i < results.size(); i++) {
			assertThat(results.get(i).get()).contains((i % 10 == 0) ? "child false" : "m" + i);
		}
	}

	@Test
	void anApplicationOnJdk25() throws Exception {
		Path java = jdk25();
		Assumptions.assumeTrue(java != null,
				"No JDK 25: set JAVA25_HOME, or install one in a directory of /usr/lib/jvm with 25 in its name");
		McpTestServer server = closing(
				McpTestServer.create()
					.tools("echo")
					.tool("ask",
							(request) -> McpTestReply.text(request
								.request("sampling/createMessage", Map.of("messages", List.of(), "maxTokens", 1))
								.join()
								.toString()))
					.start());
		Process jvm = ClientMain.start(java.toString(), Stream.concat(
				Stream.of(VIRTUAL_THREADS, "mcp.servers.http.url=" + server.url(),
						"spring.main.sources=" + Handlers.class.getName(), "test.call=http_echo,child_pid,http_ask"),
				Stream.of(ClientApplication.mini("child")))
			.toArray(String[]::new));
		try {
			String output = ClientMain.awaitUp(jvm);
			assertThat(output).contains("using Java 25")
				.containsPattern("\\[name=http, state=READY")
				.containsPattern("\\[name=child, state=READY")
				.containsPattern("CALLED http_echo ON VirtualThread\\[.*: ")
				.containsPattern("CALLED child_pid ON VirtualThread\\[.*: \\d+")
				.containsPattern("CALLED http_ask ON .*text=VirtualThread\\[.*mcp-handler-");
			assertThat(server.calls()).extracting(McpTestRequest::name).containsExactly("echo", "ask");
			jvm.getOutputStream().close();
			assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(jvm.exitValue()).isZero();
			await().untilAsserted(() -> assertThat(server.sessions()).as("sessions that were not ended").isEmpty());
		}
		finally {
			jvm.descendants().forEach(ProcessHandle::destroyForcibly);
			jvm.destroyForcibly();
		}
	}

	private ClientApplication start(McpTestServer server, String name) {
		return ClientApplication.start(
				Stream
					.concat(Stream.of(VIRTUAL_THREADS, "mcp.servers." + name + ".url=" + server.url()),
							Stream.of(ClientApplication.mini("child")))
					.toArray(String[]::new));
	}

	private static @Nullable ExecutorService virtualThreads() throws ReflectiveOperationException {
		return (Runtime.version().feature() >= 21)
				? (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null) : null;
	}

	private static @Nullable Path jdk25() throws Exception {
		List<Path> homes = new ArrayList<>();
		if (System.getenv("JAVA25_HOME") != null) {
			homes.add(Path.of(System.getenv("JAVA25_HOME")));
		}
		Path installed = Path.of("/usr/lib/jvm");
		if (Files.isDirectory(installed)) {
			try (DirectoryStream<Path> found = Files.newDirectoryStream(installed, "*25*")) {
				found.forEach(homes::add);
			}
		}
		return homes.stream()
			.map((home) -> home.resolve("bin/java"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		McpSamplingHandler sampling() {
			return (request, context) -> CreateMessageResult
				.builder(Role.ASSISTANT, Thread.currentThread().toString(), "model")
				.build();
		}

	}

}
