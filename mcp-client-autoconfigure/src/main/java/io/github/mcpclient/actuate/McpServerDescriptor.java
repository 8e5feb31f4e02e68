package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * The state of a server. Numbers are {@code null} if they are zero or if the items are
 * listed as well.
 */
@JsonInclude(Include.NON_NULL)
public record McpServerDescriptor(McpServerState state, String type, String target, boolean required,
		@Nullable ServerInfo server, @Nullable String protocolVersion, @Nullable Integer tools,
		@Nullable Integer excluded, @Nullable Integer prompts, @Nullable Integer resources,
		@Nullable Integer resourceTemplates, @Nullable Integer users, Instant since, int attempts,
		@Nullable Long latencyMs, @Nullable String lastError, McpServerStatus.@Nullable StepKind failedStep,
		@Nullable Instant nextRetry) {

	/**
	 * Return all servers by name, in the order of their configuration.
	 */
	static Map<String, McpServerDescriptor> all(McpServerManager manager) {
		Map<String, McpServerDescriptor> servers = new LinkedHashMap<>();
		manager.servers().forEach((server) -> servers.put(server.name(), of(server, server.status())));
		return servers;
	}

	/**
	 * Return a server as of a status.
	 */
	public static McpServerDescriptor of(ManagedMcpServer server, McpServerStatus status) {
		return of(status, server.tools().size(), Excluded.of(server).size(), status.prompts(), status.resources(),
				status.resourceTemplates());
	}

	static McpServerDescriptor of(McpServerStatus status, @Nullable Integer tools, int excluded, int prompts,
			int resources, int resourceTemplates) {
		Implementation info = status.serverInfo();
		Duration latency = status.latency();
		return new McpServerDescriptor(status.state(), status.type(), status.target(), status.required(),
				(info != null) ? new ServerInfo(info.name(), info.title(), info.version(), info.websiteUrl()) : null,
				status.protocolVersion(), tools, positive(excluded), positive(prompts), positive(resources),
				positive(resourceTemplates), positive(status.users()), status.since().truncatedTo(ChronoUnit.MILLIS),
				status.attempts(), (latency != null) ? latency.toMillis() : null, status.lastError(),
				status.failedStep(), millis(status.nextRetry()));
	}

	private static @Nullable Integer positive(int number) {
		return (number > 0) ? number : null;
	}

	static @Nullable Instant millis(@Nullable Instant time) {
		return (time != null) ? time.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * The name and version that a server reports.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServerInfo(String name, @Nullable String title, String version, @Nullable String websiteUrl) {
	}

	/**
	 * A tool or another item of the server that is excluded from the application.
	 */
	public record Excluded(String originalName, String reason) {

		static List<Excluded> of(ManagedMcpServer server) {
			List<Excluded> excluded = new ArrayList<>();
			server.excludedTools().forEach((tool) -> excluded.add(new Excluded(tool.originalName(), tool.reason())));
			server.features()
				.excluded()
				.stream()
				.filter((item) -> !item.kind().equals("tool"))
				.forEach((item) -> excluded.add(new Excluded(item.name(), item.kind() + ": " + item.reason())));
			return excluded;
		}

	}

}
