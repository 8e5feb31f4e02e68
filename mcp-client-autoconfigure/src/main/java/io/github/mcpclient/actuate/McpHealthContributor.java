package io.github.mcpclient.actuate;

import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link CompositeHealthContributor} with one child per server. It reads the state of the
 * connections, follows servers that are added and removed, and never contacts one.
 */
public class McpHealthContributor implements CompositeHealthContributor {

	/**
	 * The status of a server that is not connected and not required. Spring Boot excludes
	 * a status that it does not know from the aggregate and maps it to HTTP 200, unless
	 * {@code management.endpoint.health.status.order} or {@code .http-mapping} names it.
	 */
	public static final Status UNAVAILABLE = new Status("UNAVAILABLE");

	private final McpServerRegistry registry;

	/**
	 * Create a contributor.
	 * @param registry the servers to show
	 */
	public McpHealthContributor(McpServerRegistry registry) {
		this.registry = registry;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.registry.find(name).map((server) -> indicator(server.status())).orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.registry.servers()
			.stream()
			.map((server) -> new HealthContributors.Entry(server.name(), indicator(server.status())));
	}

	private static HealthIndicator indicator(McpServerStatus status) {
		return () -> health(status);
	}

	static Health health(McpServerStatus status) {
		Health.Builder health = Health.status(healthStatus(status))
			.withDetail("state", status.state())
			.withDetail("target", status.target());
		if (status.lastError() != null) {
			health.withDetail("error", status.lastError());
		}
		if (status.nextRetry() != null) {
			health.withDetail("nextRetry", status.nextRetry().truncatedTo(ChronoUnit.MILLIS));
		}
		return health.build();
	}

	private static Status healthStatus(McpServerStatus status) {
		if (status.state() == McpServerState.READY) {
			return Status.UP;
		}
		// a required server that is disabled is so on purpose, and one may wait for users
		boolean needsLogin = status.state() == McpServerState.IDLE && status.lastError() != null;
		if (status.required() && status.state() != McpServerState.DISABLED && !needsLogin) {
			return Status.DOWN;
		}
		return (status.state() == McpServerState.UNAVAILABLE) ? UNAVAILABLE : Status.UNKNOWN;
	}

}
