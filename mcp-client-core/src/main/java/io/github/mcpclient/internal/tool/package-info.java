/**
 * The tool catalog, and the calls of its tools.
 */
@NullMarked
package io.github.mcpclient.internal.tool;

import org.jspecify.annotations.NullMarked;
