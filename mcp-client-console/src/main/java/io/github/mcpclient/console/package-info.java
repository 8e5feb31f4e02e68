/**
 * A page for operators and developers: the state of the MCP servers of the application,
 * and forms to try their tools, prompts and resources.
 */
@NullMarked
package io.github.mcpclient.console;

import org.jspecify.annotations.NullMarked;
