package io.github.mcpclient.actuate;

import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link CompositeHealthContributor} with one child for each server. It reads the state
 * that the connections have, follows servers that come and go, and never contacts one.
 */
public class McpHealthContributor implements CompositeHealthContributor {

	/**
	 * The status of a server that is not connected and that the application can do
	 * without. Spring Boot leaves a status that it does not know out of the aggregate and
	 * answers it with HTTP 200, unless {@code management.endpoint.health.status.order} or
	 * {@code .http-mapping} names it.
	 */
	public static final Status UNAVAILABLE = new Status("UNAVAILABLE");

	private final McpServerRegistry registry;

	/**
	 * Create a contributor.
	 * @param registry the servers to tell of
	 */
	public McpHealthContributor(McpServerRegistry registry) {
		this.registry = registry;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.registry.servers()
			.stream()
			.filter((status) -> status.name().equals(name))
			.findFirst()
			.map(McpServerHealthIndicator::new)
			.orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.registry.servers().stream().map(this::entry);
	}

	private HealthContributors.Entry entry(McpServerStatus status) {
		return new HealthContributors.Entry(status.name(), new McpServerHealthIndicator(status));
	}

}
