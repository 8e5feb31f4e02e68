/**
 * A page for operators and developers: what the MCP servers of the application are doing,
 * and forms to try what they offer.
 */
@NullMarked
package io.github.mcpclient.console;

import org.jspecify.annotations.NullMarked;
