/**
 * The API of the MCP client: servers, their tools, and what calls return.
 */
@NullMarked
package io.github.mcpclient;

import org.jspecify.annotations.NullMarked;
