/**
 * Definitions of servers: how they are reached, and the restrictions of their tools.
 */
@NullMarked
package io.github.mcpclient.definition;

import org.jspecify.annotations.NullMarked;
