package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.testsupport.faults.Survival;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.opentest4j.AssertionFailedError;

/**
 * What tests have in common that live through faults with several servers connected. Each
 * says by {@link Survival} what it asserts.
 */
abstract class AbstractFaultTests {

	static final Duration LIMIT = Waiting.LIMIT;

	private Survival survival;

	@BeforeEach
	void read(TestInfo info) {
		this.survival = info.getTestMethod().orElseThrow().getAnnotation(Survival.class);
	}

	@AfterAll
	static void end() {
		FaultScene.end();
	}

	/**
	 * Add a peer that will fail to the application.
	 */
	final FaultScene start(FaultyPeer peer, String... properties) {
		return start(peer.properties(FaultScene.FAULTY), properties);
	}

	final FaultScene start(String[] server, String... properties) {
		return FaultScene.start(this.survival,
				Stream.of(server, properties).flatMap(Stream::of).toArray(String[]::new));
	}

	/**
	 * Wait for the failure of a call.
	 */
	static Throwable failure(CompletableFuture<?> call) throws Exception {
		Throwable failure = call.<Throwable>handle((result, ex) -> ex).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
		if (failure == null) {
			throw new AssertionFailedError("The call did not fail");
		}
		return failure;
	}

	/**
	 * Wait until it is noticed that the server is lost.
	 */
	static void awaitLoss(FaultScene scene) {
		Waiting.await().until(() -> scene.status().state() != McpServerState.READY);
	}

	/**
	 * Wait until an attempt to connect has failed.
	 * @return why
	 */
	static String awaitFailedAttempt(FaultScene scene) {
		AtomicReference<McpServerStatus> failed = new AtomicReference<>();
		Waiting.await().until(() -> {
			McpServerStatus status = scene.status();
			failed.set(status);
			return status.state() == McpServerState.UNAVAILABLE && status.attempts() > 0;
		});
		return String.valueOf(failed.get().lastError());
	}

}
