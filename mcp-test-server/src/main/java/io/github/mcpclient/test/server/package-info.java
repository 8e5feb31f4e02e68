/**
 * A scripted MCP server in the JVM of a test.
 */
@NullMarked
package io.github.mcpclient.test.server;

import org.jspecify.annotations.NullMarked;
