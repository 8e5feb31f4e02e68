package io.github.mcpclient.actuate;

import java.time.temporal.ChronoUnit;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of one server at the time of a snapshot.
 *
 * @param status the snapshot
 */
record McpServerHealthIndicator(McpServerStatus status) implements HealthIndicator {

	@Override
	public Health health() {
		Health.Builder health = Health.status(healthStatus())
			.withDetail("state", this.status.state())
			.withDetail("target", this.status.target());
		if (this.status.lastError() != null) {
			health.withDetail("error", this.status.lastError());
		}
		if (this.status.nextRetry() != null) {
			health.withDetail("nextRetry", this.status.nextRetry().truncatedTo(ChronoUnit.MILLIS));
		}
		return health.build();
	}

	private Status healthStatus() {
		if (this.status.state() == McpServerState.READY) {
			return Status.UP;
		}
		// whoever disables a server that is required does so on purpose
		if (this.status.required() && this.status.state() != McpServerState.DISABLED) {
			return Status.DOWN;
		}
		return (this.status.state() == McpServerState.UNAVAILABLE) ? McpHealthContributor.UNAVAILABLE : Status.UNKNOWN;
	}

}
