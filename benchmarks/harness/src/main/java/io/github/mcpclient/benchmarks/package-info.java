/**
 * Runs the benchmarks, each measurement in a JVM of its own, and prints their tables.
 */
@NullMarked
package io.github.mcpclient.benchmarks;

import org.jspecify.annotations.NullMarked;
