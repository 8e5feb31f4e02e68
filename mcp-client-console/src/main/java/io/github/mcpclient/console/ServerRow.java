package io.github.mcpclient.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.actuate.McpServerDescriptor;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerOrigin;
import org.jspecify.annotations.Nullable;

/**
 * A server in the list of all.
 *
 * @param position its place in the order of the configuration, where numbers may be
 * missing
 * @param metrics its figures, of a type that exists only with Micrometer
 */
@JsonInclude(Include.NON_NULL)
record ServerRow(String name, @JsonUnwrapped McpServerDescriptor status, McpServerOrigin origin, int position,
		@Nullable Object metrics) {

	static ServerRow of(ManagedMcpServer server, int position, @Nullable Object metrics) {
		return new ServerRow(server.name(), McpServerDescriptor.of(server, server.status()), server.origin(), position,
				metrics);
	}

}
