/**
 * What models get of the tools of MCP servers.
 */
@NullMarked
package io.github.mcpclient.agent;

import org.jspecify.annotations.NullMarked;
