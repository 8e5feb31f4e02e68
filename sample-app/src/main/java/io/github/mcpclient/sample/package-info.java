/**
 * A sample application that uses the tools of MCP servers.
 */
@NullMarked
package io.github.mcpclient.sample;

import org.jspecify.annotations.NullMarked;
