/**
 * The guard of tools: approved definitions, and rules for single tools.
 */
@NullMarked
package io.github.mcpclient.guard;

import org.jspecify.annotations.NullMarked;
