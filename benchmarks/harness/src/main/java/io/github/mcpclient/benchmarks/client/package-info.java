/**
 * What runs in the JVM that is measured.
 */
@NullMarked
package io.github.mcpclient.benchmarks.client;

import org.jspecify.annotations.NullMarked;
