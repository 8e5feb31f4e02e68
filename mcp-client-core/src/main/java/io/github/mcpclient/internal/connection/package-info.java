/**
 * Supervision of one server's connection: its state, its generations, its retries.
 */
@NullMarked
package io.github.mcpclient.internal.connection;

import org.jspecify.annotations.NullMarked;
