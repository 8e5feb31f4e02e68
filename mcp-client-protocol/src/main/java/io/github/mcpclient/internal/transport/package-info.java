/**
 * How bytes travel to an MCP server and back: one transport per server type.
 */
@NullMarked
package io.github.mcpclient.internal.transport;

import org.jspecify.annotations.NullMarked;
