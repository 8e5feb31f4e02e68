package io.github.mcpclient.config;

/**
 * What holds for servers of imported files, as configured at {@code mcp.import}.
 */
public class McpImportProperties {

	/**
	 * Whether an imported file may have servers that run as child processes. Whoever can
	 * write such a file can have any program run.
	 */
	private boolean allowStdio = true;

	public boolean isAllowStdio() {
		return this.allowStdio;
	}

	public void setAllowStdio(boolean allowStdio) {
		this.allowStdio = allowStdio;
	}

}
