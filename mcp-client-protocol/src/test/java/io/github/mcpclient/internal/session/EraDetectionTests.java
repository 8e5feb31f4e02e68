package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.internal.session.ScriptedTransport.Received;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.modelcontextprotocol.spec.McpError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EraDetection} over standard streams, one connection after another.
 */
class EraDetectionTests {

	private static final String LEGACY = "2025-11-25";

	private static final String MODERN = "2026-07-28";

	private static final Duration LATE = EraDetection.PATIENCE.plusSeconds(1);

	private final VirtualScheduler timer = new VirtualScheduler();

	private final SessionOptions options = SessionFixture.options("weather", SessionFixture.MAX_TOOLS);

	private ScriptedTransport transport;

	private Session session;

	private Sinks.One<Object> discovery;

	@BeforeEach
	void connect() {
		close();
		Sinks.One<Object> discovery = Sinks.one();
		this.discovery = discovery;
		this.transport = new ScriptedTransport().speaks(LEGACY, MODERN)
			.on("server/discover", (request) -> discovery.asMono())
			.answer("tools/call", "{\"content\": []}");
		this.session = (Session) new DefaultSessionFactory(this.timer, (server, task) -> task.run())
			.create(this.transport, this.options, new RecordingListener());
	}

	@AfterEach
	void close() {
		if (this.session != null) {
			this.session.close().block(SessionFixture.SOON);
			assertThat(this.session.pendingCount()).isZero();
			assertThat(this.timer.pending()).isZero();
		}
	}

	@Test
	void aLateAnswerIsRemembered() {
		assertThat(open(LATE)).succeedsWithin(SessionFixture.SOON).isEqualTo(LEGACY);
		answer();
		for (int i = 0; i < 2; i++) {
			connect();
			CompletableFuture<String> opened = open(LATE);
			assertThat(opened).isNotDone();
			answer();
			assertThat(opened).succeedsWithin(SessionFixture.SOON).isEqualTo(MODERN);
			assertThat(this.transport.received("initialize")).isEmpty();
		}
	}

	@Test
	void aLateAnswerChangesNothingOfTheSession() {
		open(LATE);
		answer();
		assertThat(this.session.pendingCount()).isZero();
		this.session.request(SessionFixture.tool(SessionFixture.request("echo"), null)).block(SessionFixture.SOON);
		Received call = this.transport.received("tools/call").get(0);
		assertThat(call.params().has("_meta")).isFalse();
		assertThat((String) call.context().get("io.modelcontextprotocol.client.negotiated-protocol-version"))
			.isEqualTo(LEGACY);
	}

	@Test
	void aLateRefusalIsNoReasonToAskAgain() {
		open(LATE);
		this.discovery.tryEmitError(McpError.builder(-32601).message("Method not found").build());
		connect();
		assertThat(open(Duration.ZERO)).succeedsWithin(SessionFixture.SOON).isEqualTo(LEGACY);
		assertThat(this.transport.received("server/discover")).isEmpty();
	}

	@Test
	void noAnswerInTimeIsNoReasonToAskAgain() {
		open(LATE);
		this.timer.advance(SessionFixture.INITIALIZATION_TIMEOUT);
		assertThat(this.timer.pending()).isZero();
		answer();
		connect();
		assertThat(open(Duration.ZERO)).succeedsWithin(SessionFixture.SOON).isEqualTo(LEGACY);
		assertThat(this.transport.received("server/discover")).isEmpty();
	}

	@Test
	void aServerThatWasLateAndIsSilentNowIsInitializedTheNextTime() {
		open(LATE);
		answer();
		connect();
		assertThat(open(SessionFixture.INITIALIZATION_TIMEOUT)).isCompletedExceptionally();
		connect();
		assertThat(open(LATE)).succeedsWithin(SessionFixture.SOON).isEqualTo(LEGACY);
	}

	private CompletableFuture<String> open(Duration after) {
		CompletableFuture<String> opened = this.session.open().map(ServerDescription::protocolVersion).toFuture();
		this.timer.advance(after);
		return opened;
	}

	private void answer() {
		this.discovery.tryEmitValue(Map.of("supportedVersions", List.of(MODERN), "capabilities", Map.of()));
	}

}
