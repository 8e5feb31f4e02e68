package io.github.mcpclient.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.declared.McpToolClientSource;
import io.github.mcpclient.management.ManagedMcpServer;

import org.springframework.util.Assert;

/**
 * Writes declared clients for servers of an application, in a test that has its context,
 * so that they are not written by hand. Needs {@code mcp-client-declared}, which the
 * starter brings.
 *
 * @see McpToolClientSource
 */
public final class McpToolClientWriter {

	private McpToolClientWriter() {
	}

	/**
	 * Write a declared client for all tools that the application gets of a server. Waits
	 * until the server is connected, or cannot be.
	 * @param server the server, of the application's
	 * {@link io.github.mcpclient.management.McpServerManager}
	 * @param packageName the package of the client
	 * @param sources the folder of all packages, such as {@code src/main/java}; it need
	 * not exist
	 * @return the file, which is named after the server; one that is there is replaced
	 * @throws IllegalArgumentException if that is no name of a package
	 * @throws IllegalStateException if the server is not connected, or called on a thread
	 * that must not block
	 * @throws IOException if the file cannot be written
	 */
	public static Path write(ManagedMcpServer server, String packageName, Path sources) throws IOException {
		McpServerStatus status = server.status();
		if (status.state() != McpServerState.READY) {
			status = server.reconnect();
		}
		McpServerState state = status.state();
		String error = (status.lastError() != null) ? ": " + status.lastError() : "";
		Assert.state(state == McpServerState.READY,
				() -> "No client is written for MCP server '" + server.name() + "', whose tools are not known: it is "
						+ state + error
						+ ". Connect it in this test; @McpTest and mcp.enabled=false disable configured servers");
		McpToolClientSource source = McpToolClientSource.of(server);
		String text = source.text(packageName);
		Path folder = Files.createDirectories(sources.resolve(packageName.replace('.', '/')));
		return Files.writeString(folder.resolve(source.typeName() + ".java"), text);
	}

}
