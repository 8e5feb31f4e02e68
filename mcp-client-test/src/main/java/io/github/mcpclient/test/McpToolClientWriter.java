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
 * Generates declared clients for servers of an application, in a test with its context.
 * Requires {@code mcp-client-declared}, which the starter includes.
 *
 * @see McpToolClientSource
 */
public final class McpToolClientWriter {

	private McpToolClientWriter() {
	}

	/**
	 * Write a declared client for all tools of a server that the application can call.
	 * Waits until the server is connected or the attempt fails.
	 * @param server the server, of the application's
	 * {@link io.github.mcpclient.management.McpServerManager}
	 * @param packageName the package of the client
	 * @param sources the source folder, such as {@code src/main/java}, which is created
	 * if necessary
	 * @return the file, which is named after the server; an existing file is replaced
	 * @throws IllegalArgumentException if the package name is invalid
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
