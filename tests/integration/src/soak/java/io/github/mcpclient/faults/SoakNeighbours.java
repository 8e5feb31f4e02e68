package io.github.mcpclient.faults;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Two servers of {@link Soak} that are at fault all the time, and must not be noticed by
 * anybody else: one connects anew each second with a large and malformed handshake; the
 * other one, of revision 2026-07-28, is behind a gateway that answers the calls of one of
 * its tools with 404.
 */
final class SoakNeighbours implements AutoCloseable {

	private static final int CAPABILITIES = 40_000;

	private final McpTestServer hostile = McpTestServer.create().tools("read").recordAtMost(10);

	private final McpTestServer gateway = McpTestServer.create()
		.protocolVersions("2026-07-28")
		.tools("echo")
		.tool("lost", McpTestReply.status(404).withHeader("Content-Type", "text/html"))
		.recordAtMost(10);

	private final SoakReport report;

	private final Thread reconnects;

	private final Thread calls;

	private volatile @Nullable ClientApplication application;

	private volatile boolean ended;

	SoakNeighbours(SoakReport report, SoakPause pause) {
		this.report = report;
		Map<String, Object> capabilities = new LinkedHashMap<>(Map.of("tools", 5));
		IntStream.range(0, CAPABILITIES).forEach((i) -> capabilities.put("capability-" + i, Map.of()));
		this.hostile
			.on("initialize",
					McpTestReply.result(JsonMapper.shared()
						.writeValueAsString(Map.of("protocolVersion", "2025-11-25", "capabilities", capabilities,
								"serverInfo", Map.of("name", "hostile", "version", "1"), "instructions", "none"))))
			.start();
		this.gateway.start();
		this.reconnects = new Thread(() -> {
			while (!this.ended) {
				LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
				pause.call(this::reconnect);
			}
		}, "soak-hostile");
		this.calls = new Thread(() -> {
			for (int i = 0; !this.ended; i++) {
				String message = "neighbour-" + i;
				pause.call(() -> call(message));
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			}
		}, "soak-gateway");
	}

	Stream<String> properties() {
		return Stream.of("mcp.servers.hostile.url=" + this.hostile.url(),
				"mcp.servers.gateway.url=" + this.gateway.url());
	}

	void begin(ClientApplication application) {
		this.application = application;
		List.of(this.reconnects, this.calls).forEach((thread) -> {
			thread.setDaemon(true);
			thread.start();
		});
	}

	private ClientApplication application() {
		ClientApplication application = this.application;
		Assert.state(application != null, "Not begun");
		return application;
	}

	private void reconnect() {
		this.report.hostileHandshake();
		application().manager().server("hostile").reconnectAsync().onErrorComplete().block();
	}

	private void call(String message) {
		try {
			if (message.endsWith("00")) {
				callLost();
			}
			String answer = application().text("gateway_echo", Map.of("message", message));
			if (answer.equals("echo " + message)) {
				this.report.answered();
			}
			else {
				this.report.wrong(message + " was answered with " + answer);
			}
		}
		catch (RuntimeException ex) {
			this.report.failedUnexpectedly("gateway_echo", ex);
		}
	}

	// in the background, so that others are under way meanwhile
	private void callLost() {
		application().tools()
			.get("gateway_lost")
			.callAsync(Collections.emptyMap())
			.subscribe((result) -> this.report.wrong("gateway_lost was answered with " + result.text()), (ex) -> {
				if (ex instanceof McpException) {
					this.report.failedAsExpected();
				}
				else {
					this.report.failedUnexpectedly("gateway_lost", ex);
				}
			});
	}

	void end() throws InterruptedException {
		this.ended = true;
		this.reconnects.join();
		this.calls.join();
	}

	@Override
	public void close() {
		this.hostile.close();
		this.gateway.close();
	}

}
