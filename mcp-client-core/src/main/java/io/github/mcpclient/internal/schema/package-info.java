/**
 * Checks of values against JSON Schemas of servers, which are bounded in time and memory.
 */
@NullMarked
package io.github.mcpclient.internal.schema;

import org.jspecify.annotations.NullMarked;
