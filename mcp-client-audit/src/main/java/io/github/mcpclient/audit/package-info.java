/**
 * Audit of the calls of tools and of the administration of MCP servers: records, and the
 * sinks of the library and of applications.
 */
@NullMarked
package io.github.mcpclient.audit;

import org.jspecify.annotations.NullMarked;
