/**
 * The bridge to Spring AI: tool callbacks for the tools of MCP servers.
 */
@NullMarked
package io.github.mcpclient.springai;

import org.jspecify.annotations.NullMarked;
