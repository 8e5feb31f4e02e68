/**
 * Servers as they are configured or added: what they are, how they are reached, and what
 * their tools may do.
 */
@NullMarked
package io.github.mcpclient.definition;

import org.jspecify.annotations.NullMarked;
