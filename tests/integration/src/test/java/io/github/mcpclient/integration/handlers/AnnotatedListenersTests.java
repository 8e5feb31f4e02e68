package io.github.mcpclient.integration.handlers;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.ai.mcp.annotation.McpLogging;
import org.springframework.ai.mcp.annotation.McpProgress;
import org.springframework.ai.mcp.annotation.McpPromptListChanged;
import org.springframework.ai.mcp.annotation.McpResourceListChanged;
import org.springframework.ai.mcp.annotation.McpToolListChanged;
import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods with Spring AI's annotations, in an application without its client.
 */
class AnnotatedListenersTests {

	@Test
	void methodsAreToldWhatTheirServersTell() {
		McpTestServer a = closing(server());
		McpTestServer b = closing(server());
		ClientApplication application = ClientApplication.start(WebApplicationType.NONE,
				new Class<?>[] { Listeners.class }, "mcp.servers.a.url=" + a.start().url(),
				"mcp.servers.b.url=" + b.start().url(), "mcp.servers.a.tools.filter=!hidden");
		CapturedLog log = closing(new CapturedLog("io.github.mcpclient.internal.handler").open());
		Listeners told = application.context().getBean(Listeners.class);
		a.awaitListeners(1);
		b.awaitListeners(1);
		// what becomes known is a change, too
		told.await("tools [read]", "prompts [one]", "resources [test://one]");
		Map<String, Object> message = Map.of("level", "notice", "logger", "db", "data", Map.of("rows", 3));
		b.notifyClients("notifications/message", message);
		a.notifyClients("notifications/message", message);
		told.await("log notice db {\"rows\":3}", "parts NOTICE db {\"rows\":3}", "every db", "every db");
		// the methods alone have the calls ask for progress
		a.on("tools/call", (request) -> {
			request.progress(1, 2);
			return McpTestReply.text("done");
		});
		application.text("a_read", Map.of());
		application.text("b_read", Map.of());
		told.await("progress 1.0", "parts 1.0 2.0");
		a.tools("read", "more", "hidden").notifyToolsListChanged();
		a.prompt("two", "2").notifyPromptsListChanged();
		a.resource("test://two", "2").notifyResourcesListChanged();
		told.await("tools [more, read]", "prompts [one, two]", "resources [test://one, test://two]");
		assertThat(log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("MCP server 'a': ")
			.contains("Listeners.progressFails(")
			.endsWith(" failed");
	}

	@Test
	void aSlowMethodHoldsUpItsServerAlone() {
		McpTestServer a = closing(server());
		McpTestServer b = closing(server());
		ClientApplication application = ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { Slow.class },
				"mcp.servers.a.url=" + a.start().url(), "mcp.servers.b.url=" + b.start().url());
		Slow slow = application.context().getBean(Slow.class);
		a.awaitListeners(1);
		b.awaitListeners(1);
		Awaitility.await().until(() -> slow.lists.contains("[read]"));
		for (int i = 0; i < 5; i++) {
			String name = "more-" + i;
			a.tool(name, McpTestReply.text("")).notifyToolsListChanged();
			Awaitility.await().until(() -> application.tools().find("a_" + name).isPresent());
		}
		a.notifyClients("notifications/message", Map.of("level", "info", "data", "a"));
		b.tools("read", "other").notifyToolsListChanged();
		b.notifyClients("notifications/message", Map.of("level", "info", "data", "b"));
		Awaitility.await().until(() -> slow.others.containsAll(List.of("[other, read]", "b")));
		assertThat(application.text("a_read", Map.of())).isNotNull();
		slow.released.countDown();
		// one that began, and one for all that it has missed
		Awaitility.await()
			.untilAsserted(() -> assertThat(slow.lists).containsExactly("[read]",
					"[more-0, more-1, more-2, more-3, more-4, read]"));
	}

	private static McpTestServer server() {
		return McpTestServer.create()
			.tools("read")
			.prompt("one", "1")
			.resource("test://one", "1")
			.capability("logging", Map.of());
	}

	static class Listeners {

		private final Queue<String> all = new ConcurrentLinkedQueue<>();

		void await(String... told) {
			Awaitility.await().untilAsserted(() -> assertThat(this.all).contains(told));
			assertThat(this.all).containsExactlyInAnyOrder(told);
			this.all.clear();
		}

		@McpLogging(clients = "a")
		void log(LoggingMessageNotification message) {
			this.all.add("log " + message.level().name().toLowerCase() + " " + message.logger() + " " + message.data());
		}

		@McpLogging(clients = "a")
		Mono<Void> parts(LoggingLevel level, String logger, String data) {
			return Mono.fromRunnable(() -> this.all.add("parts " + level + " " + logger + " " + data));
		}

		@McpLogging(clients = { "a", "b" })
		void every(LoggingMessageNotification message) {
			this.all.add("every " + message.logger());
		}

		@McpProgress(clients = "a")
		void progressFails(ProgressNotification progress) {
			throw new IllegalStateException("broken");
		}

		@McpProgress(clients = "a")
		void progress(ProgressNotification progress) {
			this.all.add("progress " + progress.progress());
		}

		@McpProgress(clients = "a")
		void progress(double progress, String token, String total) {
			assertThat(token).isNotEmpty();
			this.all.add("parts " + progress + " " + total);
		}

		@McpToolListChanged(clients = "a")
		void tools(List<Tool> tools) {
			this.all.add("tools " + tools.stream().map(Tool::name).toList());
		}

		@McpPromptListChanged(clients = "a")
		void prompts(List<Prompt> prompts) {
			this.all.add("prompts " + prompts.stream().map(Prompt::name).toList());
		}

		@McpResourceListChanged(clients = "a")
		void resources(List<Resource> resources) {
			this.all.add("resources " + resources.stream().map(Resource::uri).toList());
		}

	}

	static class Slow {

		private final CountDownLatch released = new CountDownLatch(1);

		private final Queue<String> lists = new ConcurrentLinkedQueue<>();

		private final Queue<String> others = new ConcurrentLinkedQueue<>();

		@McpToolListChanged(clients = "a")
		void tools(List<Tool> tools) {
			this.lists.add(names(tools));
			Unchecked.run(() -> this.released.await());
		}

		@McpLogging(clients = "a")
		void log(LoggingMessageNotification message) {
			Unchecked.run(() -> this.released.await());
		}

		@McpToolListChanged(clients = "b")
		void others(List<Tool> tools) {
			this.others.add(names(tools));
		}

		@McpLogging(clients = "b")
		void otherLog(LoggingMessageNotification message) {
			this.others.add(message.data());
		}

		private static String names(List<Tool> tools) {
			return tools.stream().map(Tool::name).toList().toString();
		}

	}

}
