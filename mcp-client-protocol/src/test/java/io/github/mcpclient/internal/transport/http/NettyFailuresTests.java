package io.github.mcpclient.internal.transport.http;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the libraries fail as {@link NettyFailures} reads it. The other failures are
 * those of tests of the transports and of mutual TLS.
 */
class NettyFailuresTests {

	private final McpTestServer server = McpTestServer.create().start();

	private volatile boolean closing;

	private final ConnectionProvider connections = ConnectionProvider.builder("test")
		.maxConnections(2)
		.pendingAcquireMaxCount(1)
		.evictionPredicate((connection, metadata) -> {
			if (this.closing) {
				connection.channel().close().awaitUninterruptibly();
			}
			return false;
		})
		.build();

	private final Mono<String> exchange = HttpClient.create(this.connections)
		.get()
		.uri(this.server.url())
		.responseContent()
		.aggregate()
		.asString();

	@AfterEach
	void close() {
		this.connections.disposeLater().block(LIMIT);
	}

	@Test
	void tooManyWaitForAConnection() {
		this.server.on("GET", McpTestReply.never());
		Disposable others = Flux.range(0, 3).flatMap((i) -> this.exchange).subscribe();
		this.server.awaitRequests("GET", 2);
		assertThat(NettyFailures.isPoolExhausted(failure())).isTrue();
		others.dispose();
	}

	@Test
	void connectionsAreLostAsTheyAreAcquired() {
		CompletableFuture<Void> both = new CompletableFuture<>();
		this.server.on("GET", McpTestReply.status(200).after(both));
		CompletableFuture<?> others = Flux.range(0, 2).flatMap((i) -> this.exchange).then().toFuture();
		this.server.awaitRequests("GET", 2);
		both.complete(null);
		assertThat(others).succeedsWithin(LIMIT);
		this.closing = true;
		// one that comes before both are back in the pool may get another connection
		Throwable failure = await().until(this::failure, Objects::nonNull);
		assertThat(NettyFailures.isBeforeSend(failure)).isTrue();
	}

	@Test
	void aConnectionIsLostBeforeTheRequestIsSent() {
		assertThat(NettyFailures.isBeforeSend(AbortedException.beforeSend())).isTrue();
	}

	private Throwable failure() {
		return this.exchange.then(Mono.<Throwable>empty()).onErrorResume(Mono::just).block(LIMIT);
	}

}
