/**
 * All servers by name, and their lifecycle.
 */
@NullMarked
package io.github.mcpclient.internal.registry;

import org.jspecify.annotations.NullMarked;
