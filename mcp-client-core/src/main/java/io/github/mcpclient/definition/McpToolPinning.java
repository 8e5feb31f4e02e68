package io.github.mcpclient.definition;

import io.github.mcpclient.event.McpUnapprovedToolsEvent;

/**
 * What happens if the definition of a tool is not the one that was approved.
 *
 * @see McpUnapprovedToolsEvent
 */
public enum McpToolPinning {

	/**
	 * Nothing: definitions are not compared.
	 */
	OFF,

	/**
	 * It is logged, published as an event and shown to operators. The application gets
	 * the tool all the same.
	 */
	WARN,

	/**
	 * The same, and the application does not get the tool until it is approved.
	 */
	BLOCK

}
