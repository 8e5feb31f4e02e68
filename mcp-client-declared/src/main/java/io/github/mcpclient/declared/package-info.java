/**
 * Declared clients: interfaces whose methods are tools of an MCP server.
 */
@NullMarked
package io.github.mcpclient.declared;

import org.jspecify.annotations.NullMarked;
