package io.github.mcpclient.integration.application;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that the client makes while a user is bound to the thread that needs them, in a
 * thread local that threads inherit: Spring Security's with
 * {@code MODE_INHERITABLETHREADLOCAL}.
 */
class InheritedThreadLocalsTests {

	// where each thread was made that inherited a user
	private final Queue<List<StackTraceElement>> inherited = new ConcurrentLinkedQueue<>();

	private final InheritableThreadLocal<String> user = new InheritableThreadLocal<>() {

		@Override
		protected String childValue(String parent) {
			List<StackTraceElement> stack = List.of(new Throwable().getStackTrace());
			if (parent != null && stack.stream().anyMatch(InheritedThreadLocalsTests::isOurs)
					&& stack.stream().noneMatch(InheritedThreadLocalsTests::isEvictor)) {
				InheritedThreadLocalsTests.this.inherited.add(stack);
			}
			return parent;
		}

	};

	@Test
	void noThreadHasTheUserWhoHappenedToNeedItFirst() {
		this.user.set("anne");
		try (McpTestServer http = McpTestServer.create().tools("echo").start();
				McpTestServer sockets = McpTestServer.create().tools("echo").start();
				ClientApplication application = ClientApplication.start(
						Stream
							.concat(Stream.of(ClientApplication.mini("child")),
									Stream.of("mcp.startup.mode=lazy", "mcp.servers.http.url=" + http.url(),
											"mcp.servers.sockets.url="
													+ sockets.url().toString().replace("http:", "ws:")))
							.toArray(String[]::new))) {
			application.text("http_echo", Map.of("message", "hello"));
			application.text("child_pid", Map.of());
			McpTool echo = application.tools().get("http_echo");
			// each of the connections may need an event loop of its own
			Flux.range(0, 32).flatMap((call) -> echo.callAsync(Map.of("message", "hello")), 32).blockLast();
		}
		finally {
			this.user.remove();
		}
		assertThat(this.inherited).isEmpty();
	}

	private static boolean isOurs(StackTraceElement frame) {
		return frame.getClassName().matches("io\\.github\\.mcpclient\\.(?!integration|test\\.|testsupport).*");
	}

	// it runs nothing but what ends idle threads
	private static boolean isEvictor(StackTraceElement frame) {
		return frame.getClassName().startsWith("reactor.core.scheduler.BoundedElasticScheduler")
				&& frame.getMethodName().equals("init");
	}

}
