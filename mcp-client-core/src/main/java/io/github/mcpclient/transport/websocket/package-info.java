/**
 * The transport to a server over a WebSocket.
 */
@NullMarked
package io.github.mcpclient.transport.websocket;

import org.jspecify.annotations.NullMarked;
