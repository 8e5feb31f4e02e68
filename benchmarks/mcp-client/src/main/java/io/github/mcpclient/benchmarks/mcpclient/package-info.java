/**
 * An application with our starter.
 */
@NullMarked
package io.github.mcpclient.benchmarks.mcpclient;

import org.jspecify.annotations.NullMarked;
