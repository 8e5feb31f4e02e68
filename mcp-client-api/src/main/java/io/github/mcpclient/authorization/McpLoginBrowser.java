package io.github.mcpclient.authorization;

import java.net.URI;

/**
 * Strategy interface that shows the login page to the user of this machine, for servers
 * with {@code auth.oauth2.interactive}. By default, the client opens the browser of the
 * operating system.
 */
@FunctionalInterface
public interface McpLoginBrowser {

	/**
	 * Open a page. Need not wait for the login. An exception is ignored, since the URL is
	 * logged as well.
	 * @param serverName the configured name of the server
	 * @param url the page of the authorization server, which finally redirects to this
	 * machine
	 */
	void open(String serverName, URI url);

}
