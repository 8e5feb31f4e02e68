/**
 * MCP servers in containers of Testcontainers.
 */
@NullMarked
package io.github.mcpclient.testcontainers;

import org.jspecify.annotations.NullMarked;
