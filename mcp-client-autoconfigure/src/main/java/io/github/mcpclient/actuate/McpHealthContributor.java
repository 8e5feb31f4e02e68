package io.github.mcpclient.actuate;

import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
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
		return this.registry.find(name).map(McpHealthContributor::indicator).orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.registry.servers()
			.stream()
			.map((server) -> new HealthContributors.Entry(server.name(), indicator(server)));
	}

	private static HealthIndicator indicator(McpServer server) {
		McpServerStatus status = server.status();
		return () -> health(status);
	}

	static Health health(McpServerStatus server) {
		Health.Builder health = Health.status(healthStatus(server))
			.withDetail("state", server.state())
			.withDetail("target", server.target());
		if (server.lastError() != null) {
			health.withDetail("error", server.lastError());
		}
		if (server.nextRetry() != null) {
			health.withDetail("nextRetry", server.nextRetry().truncatedTo(ChronoUnit.MILLIS));
		}
		return health.build();
	}

	private static Status healthStatus(McpServerStatus server) {
		if (server.state() == McpServerState.READY) {
			return Status.UP;
		}
		// a required server that is disabled is so on purpose, and one may wait for users
		boolean needsLogin = server.state() == McpServerState.IDLE && server.lastError() != null;
		if (server.required() && server.state() != McpServerState.DISABLED && !needsLogin) {
			return Status.DOWN;
		}
		return (server.state() == McpServerState.UNAVAILABLE) ? UNAVAILABLE : Status.UNKNOWN;
	}

}
