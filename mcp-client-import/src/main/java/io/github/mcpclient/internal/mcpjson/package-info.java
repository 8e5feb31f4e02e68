/**
 * Imports the {@code mcp.json} files of desktop clients and editors as properties.
 */
@NullMarked
package io.github.mcpclient.internal.mcpjson;

import org.jspecify.annotations.NullMarked;
