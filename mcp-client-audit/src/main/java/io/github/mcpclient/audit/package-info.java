/**
 * Records of the calls of tools, and of the administration of MCP servers: what
 * applications write them to, and what this library does.
 */
@NullMarked
package io.github.mcpclient.audit;

import org.jspecify.annotations.NullMarked;
