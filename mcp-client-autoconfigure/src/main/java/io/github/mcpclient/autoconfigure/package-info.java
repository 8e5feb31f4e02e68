/**
 * Auto-configuration for the MCP client.
 */
@NullMarked
package io.github.mcpclient.autoconfigure;

import org.jspecify.annotations.NullMarked;
