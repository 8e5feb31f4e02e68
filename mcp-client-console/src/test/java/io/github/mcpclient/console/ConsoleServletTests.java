package io.github.mcpclient.console;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.mcpclient.console.ConsoleApplication.Connection;
import io.github.mcpclient.console.McpConsoleServletConfiguration.ConsoleServlet;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the servlet of the console does to the requests of others, in Tomcat.
 */
class ConsoleServletTests {

	private final Sinks.Many<Mono<DataBuffer>> events = Sinks.many().replay().all();

	private final ContainerThreads threads = new ContainerThreads();

	private WebServer server;

	@BeforeEach
	void start() {
		TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
		factory.addProtocolHandlerCustomizers((protocol) -> protocol.setExecutor(this.threads));
		this.server = factory
			.getWebServer(new ServletRegistrationBean<>(new ConsoleServlet(this::handle), ConsoleExchange.PATH + "/*"));
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop();
		this.threads.close();
	}

	private Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
		return response.writeAndFlushWith(this.events.asFlux()).onErrorComplete();
	}

	private void emit() {
		this.events
			.tryEmitNext(Mono.fromSupplier(() -> DefaultDataBufferFactory.sharedInstance.wrap(ServerFeed.COMMENT)));
	}

	@Test
	void whoFindsTheClientGoneHarmsNoOtherRequest() throws Exception {
		emit();
		try (Connection gone = open()) {
			assertThat(gone.head()).isEqualTo(200);
			// whoever writes to it fails
			gone.socket().setSoLinger(true, 0);
		}
		this.threads.writer = Thread.currentThread();
		Awaitility.await().pollInSameThread().until(() -> {
			emit();
			return this.threads.failure != null;
		});
		this.threads.failure.join();
		// Tomcat takes for it what it last made free
		try (Connection next = open()) {
			assertThat(next.head()).isEqualTo(200);
			assertThat(next.chunk()).isEqualTo(":\n\n");
			assertThat(next.chunk()).isEqualTo(":\n\n");
		}
	}

	private Connection open() throws Exception {
		return ConsoleApplication.open(this.server.getPort(), "GET", ConsoleExchange.PATH, null);
	}

	/**
	 * Lets the writer, which asks that its failure be worked on, go on no sooner than
	 * that has been done, or waits for the writer.
	 */
	private static final class ContainerThreads implements Executor {

		private final ExecutorService threads = Executors.newCachedThreadPool();

		private volatile @Nullable Thread writer;

		private volatile @Nullable Thread failure;

		@Override
		public void execute(Runnable task) {
			if (Thread.currentThread() != this.writer) {
				this.threads.execute(task);
				return;
			}
			Thread thread = new Thread(task);
			this.failure = thread;
			thread.start();
			Awaitility.await().until(() -> isDone(thread));
		}

		private boolean isDone(Thread thread) {
			ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
			return info == null || info.getLockOwnerId() == this.writer.getId();
		}

		void close() {
			this.threads.shutdownNow();
		}

	}

}
