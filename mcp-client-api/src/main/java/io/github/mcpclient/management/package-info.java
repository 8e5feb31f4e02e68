/**
 * The servers as operators manage them: to add, replace, remove, enable and disable them,
 * and to see and check what they do.
 */
@NullMarked
package io.github.mcpclient.management;

import org.jspecify.annotations.NullMarked;
