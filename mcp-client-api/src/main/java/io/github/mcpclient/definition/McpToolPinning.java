package io.github.mcpclient.definition;

import io.github.mcpclient.event.McpUnapprovedToolsEvent;

/**
 * What happens if the definition of a tool is not the one that was approved.
 *
 * @see McpUnapprovedToolsEvent
 */
public enum McpToolPinning {

	/**
	 * Definitions are not compared.
	 */
	OFF,

	/**
	 * A tool that is not approved as it is listed is logged, published as an event, and
	 * shown in Actuator. The application gets it all the same.
	 */
	WARN,

	/**
	 * As {@link #WARN}, and the application does not get the tool until it is approved.
	 */
	BLOCK

}
