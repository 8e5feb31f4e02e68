package io.github.mcpclient.authorization;

import java.net.URI;

/**
 * Shows the user of this machine the page to log in at, for servers with
 * {@code auth.oauth2.interactive}. Without a bean of this type, the browser of the
 * operating system is opened.
 */
@FunctionalInterface
public interface McpLoginBrowser {

	/**
	 * Open a page. Need not wait for the login. An exception is ignored, since the url is
	 * logged as well.
	 * @param serverName the configured name of the server
	 * @param url the page of the authorization server, which redirects to this machine in
	 * the end
	 */
	void open(String serverName, URI url);

}
