/**
 * The server that the clients are measured against.
 */
@NullMarked
package io.github.mcpclient.benchmarks.server;

import org.jspecify.annotations.NullMarked;
