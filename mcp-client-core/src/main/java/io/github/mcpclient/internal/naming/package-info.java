/**
 * The names of tools, and the patterns and the policy that decide which tools the
 * application gets.
 */
@NullMarked
package io.github.mcpclient.internal.naming;

import org.jspecify.annotations.NullMarked;
