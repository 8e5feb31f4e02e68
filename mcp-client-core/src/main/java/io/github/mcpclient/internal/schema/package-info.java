/**
 * Checks of values against JSON Schemas of servers, with limits for time and memory.
 */
@NullMarked
package io.github.mcpclient.internal.schema;

import org.jspecify.annotations.NullMarked;
