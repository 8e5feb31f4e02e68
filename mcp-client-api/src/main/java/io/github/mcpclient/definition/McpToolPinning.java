package io.github.mcpclient.definition;

import io.github.mcpclient.event.McpUnapprovedToolsEvent;

/**
 * How to handle a tool whose definition is not the approved one.
 *
 * @see McpUnapprovedToolsEvent
 */
public enum McpToolPinning {

	/**
	 * Definitions are not compared.
	 */
	OFF,

	/**
	 * A tool whose listed definition is not approved is logged, published as an event,
	 * and shown in Actuator. The application gets it nevertheless.
	 */
	WARN,

	/**
	 * Like {@link #WARN}, and the tool is excluded from the application until it is
	 * approved.
	 */
	BLOCK

}
