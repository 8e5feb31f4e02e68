package io.github.mcpclient.internal.compose;

import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.mcpclient.service.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * Registers a service with the label
 * {@code org.springframework.boot.service-connection: mcp} as the server with its name.
 * Other labels configure details. The details of the containers of one service are equal.
 */
class McpDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<McpServerConnectionDetails> {

	private static final String LABEL = "io.github.mcpclient.";

	// the name of a running service is that of its container
	private static final String COMPOSE_NAME = "com.docker.compose.service";

	private static final String PROJECT = "com.docker.compose.project";

	McpDockerComposeConnectionDetailsFactory() {
		super("mcp");
	}

	@Override
	protected McpServerConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new McpDockerComposeConnectionDetails(source.getRunningService());
	}

	private static final class McpDockerComposeConnectionDetails extends DockerComposeConnectionDetails
			implements McpServerConnectionDetails {

		private final String name;

		private final List<@Nullable String> service;

		private final URI url;

		private final @Nullable String type;

		private final Map<String, String> headers = new TreeMap<>();

		private final @Nullable SslBundle sslBundle;

		private McpDockerComposeConnectionDetails(RunningService service) {
			super(service);
			Map<String, String> labels = service.labels();
			this.name = labels.getOrDefault(LABEL + "name", labels.getOrDefault(COMPOSE_NAME, service.name()));
			this.service = Arrays.asList(labels.get(PROJECT), labels.getOrDefault(COMPOSE_NAME, service.name()));
			this.type = labels.get(LABEL + "type");
			this.sslBundle = getSslBundle(service);
			String path = labels.getOrDefault(LABEL + "path", "");
			this.url = URI.create(((this.sslBundle != null) ? "https" : "http") + "://" + service.host() + ":"
					+ port(service) + ((path.isEmpty() || path.startsWith("/")) ? "" : "/") + path);
			labels.forEach((label, value) -> {
				if (label.startsWith(LABEL + "headers.")) {
					this.headers.put(label.substring((LABEL + "headers.").length()), value);
				}
			});
		}

		private static int port(RunningService service) {
			ConnectionPorts ports = service.ports();
			String port = service.labels().get(LABEL + "port");
			if (StringUtils.hasText(port)) {
				try {
					return ports.get(Integer.parseInt(port.strip()));
				}
				catch (NumberFormatException ex) {
					throw new IllegalStateException("The label '" + LABEL + "port' of service '" + service.name()
							+ "' of Docker Compose is not a number. Set it to the port of the server in its container.",
							ex);
				}
			}
			List<Integer> all = ports.getAll("tcp");
			if (all.size() != 1) {
				throw new IllegalStateException(
						"Service '" + service.name() + "' of Docker Compose is an MCP server, " + "but has "
								+ (all.isEmpty() ? "no ports. Add 'ports', with that of the server."
										: all.size() + " ports. Add the label '" + LABEL
												+ "port', with that of the server in its container."));
			}
			return all.get(0);
		}

		@Override
		public String getName() {
			return this.name;
		}

		@Override
		public URI getUrl() {
			return this.url;
		}

		@Override
		public @Nullable String getType() {
			return this.type;
		}

		@Override
		public Map<String, String> getHeaders() {
			return Collections.unmodifiableMap(this.headers);
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return this.sslBundle;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof McpDockerComposeConnectionDetails details && this.service.equals(details.service);
		}

		@Override
		public int hashCode() {
			return this.service.hashCode();
		}

	}

}
