/**
 * One MCP session over one transport.
 */
@NullMarked
package io.github.mcpclient.session;

import org.jspecify.annotations.NullMarked;
