package io.github.mcpclient.config;

import java.time.Duration;

/**
 * How servers are connected at the start of the application, as configured at
 * {@code mcp.startup}.
 */
public class McpStartupProperties {

	/**
	 * When to connect to the servers: at the start, or at their first use. Required
	 * servers are connected at the start in any case.
	 */
	private Mode mode = Mode.EAGER;

	/**
	 * How long the start of the application waits for the first attempts to connect. In
	 * lazy mode, how long a first use waits. With 0s nothing waits.
	 */
	private Duration wait = Duration.ofSeconds(5);

	public Mode getMode() {
		return this.mode;
	}

	public void setMode(Mode mode) {
		this.mode = mode;
	}

	public Duration getWait() {
		return this.wait;
	}

	public void setWait(Duration wait) {
		this.wait = wait;
	}

	/**
	 * When to connect.
	 */
	public enum Mode {

		/**
		 * At the start of the application.
		 */
		EAGER,

		/**
		 * At the first use.
		 */
		LAZY

	}

}
