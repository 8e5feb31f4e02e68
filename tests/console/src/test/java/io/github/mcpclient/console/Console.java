package io.github.mcpclient.console;

import io.github.mcpclient.testsupport.ClientApplication;

import org.springframework.boot.WebApplicationType;
import org.springframework.util.StringUtils;

/**
 * Applications that have the console.
 */
final class Console {

	private Console() {
	}

	/**
	 * Start an application that lets everybody on this machine call tools and act on
	 * servers.
	 * @param properties those of the test
	 */
	static ClientApplication unrestricted(String... properties) {
		return unrestricted(new Class<?>[0], properties);
	}

	/**
	 * Start such an application with beans of the test.
	 */
	static ClientApplication unrestricted(Class<?>[] sources, String... properties) {
		return ClientApplication.start(WebApplicationType.SERVLET, sources,
				StringUtils.concatenateStringArrays(new String[] { "spring.application.name=library",
						"mcp.console.access=unrestricted", "mcp.console.messages=100",
						"mcp.defaults.reconnect.initial-delay=200ms", "mcp.defaults.reconnect.max-delay=1s" },
						properties));
	}

	static String origin(ClientApplication application) {
		return "http://localhost:" + application.context().getEnvironment().getProperty("local.server.port");
	}

	static String url(ClientApplication application) {
		return origin(application) + "/mcp-console";
	}

	/**
	 * Return the address of the page that shows one server.
	 * @param path its name, and maybe the part that is shown
	 */
	static String url(ClientApplication application, String path) {
		return url(application) + "#/server/" + path;
	}

}
