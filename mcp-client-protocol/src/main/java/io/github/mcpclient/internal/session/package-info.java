/**
 * One MCP session over one transport.
 */
@NullMarked
package io.github.mcpclient.internal.session;

import org.jspecify.annotations.NullMarked;
