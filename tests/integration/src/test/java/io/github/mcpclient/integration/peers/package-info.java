/**
 * Servers that others wrote.
 */
@NullMarked
package io.github.mcpclient.integration.peers;

import org.jspecify.annotations.NullMarked;
