/**
 * What must be true of definitions, wherever they come from.
 */
@NullMarked
package io.github.mcpclient.definition;

import org.jspecify.annotations.NullMarked;
