/**
 * MCP servers in containers of Testcontainers.
 */
@NullMarked
package io.github.mcpclient.internal.testcontainers;

import org.jspecify.annotations.NullMarked;
