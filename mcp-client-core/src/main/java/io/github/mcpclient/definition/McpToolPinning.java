package io.github.mcpclient.definition;

import io.github.mcpclient.event.McpUnapprovedToolsEvent;

/**
 * What happens where the definition of a tool is not the one that was approved.
 *
 * @see McpUnapprovedToolsEvent
 */
public enum McpToolPinning {

	/**
	 * Nothing: definitions are not compared.
	 */
	OFF,

	/**
	 * It is logged, published and shown. The application gets the tool all the same.
	 */
	WARN,

	/**
	 * The same, and the application does not get the tool until it is approved.
	 */
	BLOCK

}
