package io.github.mcpclient.support;

/**
 * The labels by which the containers of servers are recognized.
 */
public final class ContainerLabels {

	/**
	 * The name of the server.
	 */
	public static final String SERVER = "io.github.mcpclient.server";

	/**
	 * The process that started the container.
	 */
	public static final String OWNER = "io.github.mcpclient.owner";

	private ContainerLabels() {
	}

}
