package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;

/**
 * Whether users can log in for a server. Visitors, who may be anonymous, wait for
 * discovery briefly, few at a time, and not again soon after a failure.
 */
final class LoginReadiness {

	private static final Logger logger = LoggerFactory.getLogger(LoginReadiness.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration PAUSE = Duration.ofSeconds(5);

	private static final int MAX_WAITING = 2;

	private final ClientResolver clients;

	private final ClientScheduler time;

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	private final RateLimiter refusals;

	private volatile @Nullable Long pausedAt;

	// the logged problem, which is not logged again while it lasts
	private volatile @Nullable String problem;

	LoginReadiness(ClientResolver clients, ClientScheduler time) {
		this.clients = clients;
		this.time = time;
		this.refusals = new RateLimiter(time, 2, Duration.ofMinutes(1));
	}

	Mono<Boolean> get() {
		return Mono.defer(() -> {
			if (this.clients.known() != null) {
				return Mono.just(true);
			}
			if (isPaused() || !this.waiting.tryAcquire()) {
				return Mono.just(false);
			}
			return this.clients.client().map((client) -> {
				this.problem = null;
				return true;
			}).timeout(PATIENCE, Mono.fromSupplier(() -> {
				pause();
				return false;
			}), this.time).onErrorResume((failure) -> {
				pause();
				report(failure);
				return Mono.just(false);
			}).doFinally((signal) -> this.waiting.release());
		});
	}

	/**
	 * Log the reason if the response to a login is a refusal, which only the user would
	 * see otherwise. Limited, as anyone can send such a request.
	 */
	void answered(String query) {
		Map<String, String> answer = TokenAnswer.form(query);
		if (answer.containsKey(OAuth2ParameterNames.ERROR) && answer.containsKey(OAuth2ParameterNames.STATE)
				&& !answer.containsValue(OAuth2ErrorCodes.ACCESS_DENIED) && this.refusals.take()) {
			TransportException refusal = new Failures(this.clients.definition()).loginRefusal(answer);
			logger.warn("A login for MCP server '{}' failed: {}. {}", this.clients.definition().name(),
					refusal.getMessage(), refusal.getNextStep());
		}
	}

	private boolean isPaused() {
		Long pausedAt = this.pausedAt;
		return pausedAt != null && this.time.now(TimeUnit.NANOSECONDS) - pausedAt < PAUSE.toNanos();
	}

	private void pause() {
		this.pausedAt = this.time.now(TimeUnit.NANOSECONDS);
	}

	private void report(Throwable failure) {
		String problem = failure.getMessage()
				+ ((failure instanceof TransportException worded && worded.getNextStep() != null)
						? ". " + worded.getNextStep() : "");
		if (!problem.equals(this.problem)) {
			this.problem = problem;
			logger.warn("Users cannot log in for MCP server '{}': {}", this.clients.definition().name(), problem);
		}
	}

}
