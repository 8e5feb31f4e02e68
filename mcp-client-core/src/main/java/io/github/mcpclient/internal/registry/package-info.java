/**
 * All servers by name, and their life cycle.
 */
@NullMarked
package io.github.mcpclient.internal.registry;

import org.jspecify.annotations.NullMarked;
