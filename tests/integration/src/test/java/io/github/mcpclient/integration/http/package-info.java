/**
 * What is special about servers over HTTP and WebSocket.
 */
@NullMarked
package io.github.mcpclient.integration.http;

import org.jspecify.annotations.NullMarked;
