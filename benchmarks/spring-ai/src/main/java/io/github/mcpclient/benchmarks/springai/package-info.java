/**
 * An application with Spring AI's starter.
 */
@NullMarked
package io.github.mcpclient.benchmarks.springai;

import org.jspecify.annotations.NullMarked;
