/**
 * The tool catalog: names, filters, access policy and results.
 */
@NullMarked
package io.github.mcpclient.internal.tool;

import org.jspecify.annotations.NullMarked;
