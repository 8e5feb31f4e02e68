/**
 * Validation of definitions, wherever they come from.
 */
@NullMarked
package io.github.mcpclient.internal.validation;

import org.jspecify.annotations.NullMarked;
