package io.github.mcpclient.console;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Configuration properties of the console.
 *
 * @param access What the console lets its users do: see, or also call tools and act on
 * servers. With none there is no console.
 * @param remote Whether users who are not signed in are also answered if they come from
 * other than a loopback address.
 * @param allowedHosts Names by which users who are not signed in may reach the console,
 * beside localhost and loopback addresses.
 * @param messages How many messages of each server, sent and received, are kept for the
 * console, at most 10,000. None by default, as they may contain personal data.
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
