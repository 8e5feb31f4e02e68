/**
 * Actuator endpoint, health and info for MCP servers.
 */
@NullMarked
package io.github.mcpclient.actuate;

import org.jspecify.annotations.NullMarked;
