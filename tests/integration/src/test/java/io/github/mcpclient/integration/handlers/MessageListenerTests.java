package io.github.mcpclient.integration.handlers;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.event.McpLogMessageEvent;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpProgressEvent;
import io.github.mcpclient.event.McpResourceUpdatedEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerExceptionEvent;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What servers send unasked, on its way to listeners and as events.
 */
class MessageListenerTests {

	private static final int FLOOD = 20_000;

	@Test
	void listenersSeeAllThatAServerSends() {
		McpTestServer server = closing(server());
		ClientApplication application = start(server, Recorder.class, "mcp.servers.a.resources.max=2",
				"mcp.defaults.reconnect.initial-delay=50ms");
		Recorder recorder = application.context().getBean(Recorder.class);
		McpServer a = application.registry().server("a");
		server.awaitListeners(1);
		server.notifyClients("notifications/message", Map.of("level", "notice", "data", Map.of("rows", 3)));
		assertThat(recorder.event(McpLogMessageEvent.class).message())
			.isEqualTo(new LoggingMessageNotification(LoggingLevel.NOTICE, null, "{\"rows\":3}"));
		server.notifyClients("notifications/acme", Map.of("x", List.of(1)));
		McpServerNotification unknown = recorder.notification("notifications/acme");
		assertThat(unknown)
			.isEqualTo(new McpServerNotification("a", "notifications/acme", Map.of("x", List.of(1)), null, null));
		server.notifyToolsListChanged();
		assertThat(recorder.notification("notifications/tools/list_changed").typed()).isNull();
		// the call has no progress listener
		server.on("tools/call", (request) -> {
			request.progress(1, 2);
			return McpTestReply.text("done");
		});
		application.text("a_read", Map.of());
		McpProgressEvent progress = recorder.event(McpProgressEvent.class);
		assertThat(progress.toolName()).isEqualTo("read");
		assertThat(progress.progress().total()).isEqualTo(2);
		assertThat(recorder.notification("notifications/progress").typed()).isSameAs(progress.progress());
		// nobody asked for it
		server.on("resources/read", (request) -> {
			request.notify("notifications/progress", Map.of("progressToken", request.id(), "progress", 3));
			request.notify("notifications/after", Map.of());
			return McpTestReply.standard();
		});
		a.readResource("test://one");
		recorder.notification("notifications/after");
		assertThat(recorder.events(McpProgressEvent.class)).hasSize(1);
		subscribes(server, application, recorder);
	}

	private void subscribes(McpTestServer server, ClientApplication application, Recorder recorder) {
		McpServer a = application.registry().server("a");
		a.subscribe("test://one");
		a.subscribe("test://one");
		a.subscribe("test://two");
		assertThatIllegalStateException().isThrownBy(() -> a.subscribe("test://three"))
			.withMessageContaining("2 subscriptions");
		a.unsubscribe("test://two");
		assertThat(server.requests("resources/unsubscribe")).hasSize(1);
		server.on("resources/subscribe", McpTestReply.error(-32002, "Not found"));
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> a.subscribe("test://none"));
		server.on("resources/subscribe", McpTestReply.result(Map.of())).forgetRequests();
		// a lost connection renews what is subscribed to, and that alone
		server.forgetSessions();
		application.text("a_read", Map.of());
		assertThat(server.awaitRequest("resources/subscribe").params()).isEqualTo(Map.of("uri", "test://one"));
		server.awaitListeners(1);
		for (String uri : List.of("test://two", "test://one", "test://one/part")) {
			server.notifyClients("notifications/resources/updated", Map.of("uri", uri));
		}
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(recorder.events(McpResourceUpdatedEvent.class)).map(McpResourceUpdatedEvent::uri)
						.containsExactly("test://one", "test://one/part"));
		assertThat(server.requests("resources/subscribe")).hasSize(1);
		assertThat(recorder.event(McpServerExceptionEvent.class).exception()).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("MCP server 'a'");
		assertThat(recorder.exceptions).isNotEmpty();
		server.stop();
		Awaitility.await().until(() -> a.status().state() == McpServerState.UNAVAILABLE);
		a.unsubscribe("test://one");
	}

	@Test
	void aServerWithoutSubscriptionsRefusesThem() {
		McpTestServer server = closing(
				McpTestServer.create().resource("test://one", "1").capability("resources", Map.of()));
		ClientApplication application = start(server, Recorder.class);
		assertThatExceptionOfType(McpUnsupportedException.class)
			.isThrownBy(() -> application.registry().server("a").subscribe("test://one"))
			.withMessageContaining("'resources.subscribe'");
	}

	@Test
	void aListenerThatBlocksOrThrowsHarmsNoConnection() {
		McpTestServer server = closing(server());
		McpTestServer other = closing(server());
		ClientApplication application = start(server, Blocker.class, "mcp.servers.b.url=" + other.start().url());
		CapturedLog log = closing(new CapturedLog("io.github.mcpclient.internal.registry.ServerMessages").open());
		Blocker blocker = application.context().getBean(Blocker.class);
		server.awaitListeners(1);
		other.awaitListeners(1);
		for (int i = 0; i < FLOOD; i++) {
			server.notifyClients("notifications/message", Map.of("level", "debug", "data", "flood " + i));
		}
		assertThat(application.text("a_read", Map.of())).isNotNull();
		other.notifyClients("notifications/acme", Map.of());
		Awaitility.await().until(() -> blocker.seen.contains("b"));
		Awaitility.await().until(() -> log.lines().stream().anyMatch((line) -> line.contains("are dropped")));
		server.notifyToolsListChanged();
		Awaitility.await().until(() -> server.requests("tools/list").size() > 1);
		server.notifyClients("notifications/last", Map.of());
		assertThat(application.text("a_read", Map.of())).isNotNull();
		blocker.released.countDown();
		Awaitility.await().until(() -> blocker.seen.contains("notifications/last"));
		assertThat(blocker.seen.stream().filter("a"::equals)).hasSizeBetween(900, 1100);
		// all of them failed
		assertThat(log.lines().stream().filter((line) -> line.contains("are dropped"))).hasSize(1);
		assertThat(log.lines().stream().filter((line) -> line.contains("failed"))).hasSizeBetween(1, 25);
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "streamableHttp" })
	void everything(String mode) {
		Peers.Running server = mode.equals("stdio") ? null : Peers.everything(mode);
		String[] target = (server != null)
				? new String[] { "mcp.servers.every.url=http://localhost:" + server.port() + "/mcp" }
				: new String[] { "mcp.servers.every.command=node",
						"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio" };
		try (server;
				ClientApplication application = start(Recorder.class,
						Stream.concat(Stream.of(target), Stream.of("mcp.servers.every.logging-level=info"))
							.toArray(String[]::new))) {
			Recorder recorder = application.context().getBean(Recorder.class);
			McpServer every = application.registry().server("every");
			assertThat(application.text("every_trigger-long-running-operation", Map.of("duration", 1, "steps", 4)))
				.startsWith("Long running operation completed");
			Awaitility.await().until(() -> recorder.events(McpProgressEvent.class).count() == 4);
			assertThat(recorder.events(McpProgressEvent.class)
				.map(McpProgressEvent::progress)
				.map(ProgressNotification::progress)).containsExactly(1.0, 2.0, 3.0, 4.0);
			String uri = "demo://resource/static/document/features.md";
			every.subscribe(uri);
			assertThat(recorder.event(McpLogMessageEvent.class, (event) -> event.message().data().contains(uri))
				.message()
				.level()).isEqualTo(LoggingLevel.INFO);
			application.text("every_toggle-subscriber-updates", Map.of());
			assertThat(recorder.event(McpResourceUpdatedEvent.class).uri()).isEqualTo(uri);
			every.unsubscribe(uri);
			assertThat(recorder.exceptions).isEmpty();
		}
	}

	private static McpTestServer server() {
		return McpTestServer.create()
			.tools("read")
			.resource("test://one", "1")
			.capability("resources", Map.of("subscribe", true))
			.capability("logging", Map.of())
			.on("resources/subscribe", McpTestReply.result(Map.of()))
			.on("resources/unsubscribe", McpTestReply.result(Map.of()));
	}

	private static ClientApplication start(McpTestServer server, Class<?> listener, String... properties) {
		return start(listener,
				Stream.concat(Stream.of("mcp.servers.a.url=" + server.start().url()), Stream.of(properties))
					.toArray(String[]::new));
	}

	private static ClientApplication start(Class<?> listener, String... properties) {
		return ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { listener }, properties);
	}

	static class Recorder implements McpMessageListener {

		private final Queue<McpServerEvent> events = new ConcurrentLinkedQueue<>();

		private final Queue<McpServerNotification> notifications = new ConcurrentLinkedQueue<>();

		private final Queue<McpException> exceptions = new ConcurrentLinkedQueue<>();

		@EventListener
		void on(McpServerEvent event) {
			this.events.add(event);
		}

		@EventListener
		void updated(McpResourceUpdatedEvent event) {
			System.out.println(event.serverName() + ": " + event.uri() + " has changed");
		}

		@Override
		public void onNotification(McpServerNotification notification) {
			this.notifications.add(notification);
		}

		@Override
		public void onException(McpException exception) {
			this.exceptions.add(exception);
		}

		McpServerNotification notification(String method) {
			return Awaitility.await()
				.until(() -> this.notifications.stream().filter((one) -> one.method().equals(method)).findFirst(),
						(found) -> found.isPresent())
				.get();
		}

		<T extends McpServerEvent> Stream<T> events(Class<T> type) {
			return this.events.stream().filter(type::isInstance).map(type::cast);
		}

		<T extends McpServerEvent> T event(Class<T> type) {
			return event(type, (event) -> true);
		}

		<T extends McpServerEvent> T event(Class<T> type, Predicate<T> condition) {
			return Awaitility.await()
				.until(() -> events(type).filter(condition).findFirst(), (found) -> found.isPresent())
				.get();
		}

	}

	static class Blocker implements McpMessageListener {

		private final CountDownLatch released = new CountDownLatch(1);

		private final Queue<String> seen = new ConcurrentLinkedQueue<>();

		@Bean
		@Order(0)
		McpMessageListener failing() {
			return new McpMessageListener() {

				@Override
				public void onNotification(McpServerNotification notification) {
					throw new IllegalStateException("broken");
				}

			};
		}

		@Override
		public void onNotification(McpServerNotification notification) {
			if (notification.serverName().equals("a")) {
				Unchecked.run(() -> this.released.await());
			}
			this.seen.add(notification.serverName());
			this.seen.add(notification.method());
		}

	}

}
