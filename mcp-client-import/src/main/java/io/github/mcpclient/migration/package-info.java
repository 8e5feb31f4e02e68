/**
 * The migration of an application from another MCP client.
 */
@NullMarked
package io.github.mcpclient.migration;

import org.jspecify.annotations.NullMarked;
