/**
 * Tests for MCP servers that are services of Docker Compose.
 */
@NullMarked
package io.github.mcpclient.internal.compose;

import org.jspecify.annotations.NullMarked;
