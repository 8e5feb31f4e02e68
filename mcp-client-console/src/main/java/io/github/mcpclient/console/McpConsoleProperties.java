package io.github.mcpclient.console;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Configuration properties of the console.
 *
 * @param access Access of users to the console: none disables the console, read-only
 * shows everything, unrestricted also allows calling tools and acting on servers.
 * @param remote Whether to accept users who are not signed in from addresses other than
 * loopback addresses.
 * @param allowedHosts Host names by which users who are not signed in may reach the
 * console, in addition to localhost and loopback addresses.
 * @param messages Number of messages of each server, sent and received, to record for the
 * console, at most 10,000. Messages may contain personal data.
 */
@ConfigurationProperties("mcp.console")
record McpConsoleProperties(@DefaultValue("read-only") Access access, @DefaultValue("false") boolean remote,
		@DefaultValue List<String> allowedHosts, @DefaultValue("0") int messages) {

	private static final int MOST_MESSAGES = 10_000;

	McpConsoleProperties {
		Assert.isTrue(messages >= 0 && messages <= MOST_MESSAGES,
				() -> "mcp.console.messages must be from 0 to " + MOST_MESSAGES);
	}

	/**
	 * What users may do.
	 */
	enum Access {

		/**
		 * There is no console.
		 */
		NONE,

		/**
		 * Users see everything and change nothing.
		 */
		READ_ONLY,

		/**
		 * Users also call tools, and reconnect, enable and disable servers.
		 */
		UNRESTRICTED

	}

}
