/**
 * What must be true of definitions, wherever they come from.
 */
@NullMarked
package io.github.mcpclient.rules;

import org.jspecify.annotations.NullMarked;
