/**
 * What moves an application from another MCP client to this one.
 */
@NullMarked
package io.github.mcpclient.migration;

import org.jspecify.annotations.NullMarked;
