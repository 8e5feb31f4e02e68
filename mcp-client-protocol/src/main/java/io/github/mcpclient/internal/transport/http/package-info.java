/**
 * The transports over HTTP: streamable HTTP, the older HTTP with SSE, and their clients.
 */
@NullMarked
package io.github.mcpclient.internal.transport.http;

import org.jspecify.annotations.NullMarked;
