/**
 * Validation of definitions, wherever they come from.
 */
@NullMarked
package io.github.mcpclient.validation;

import org.jspecify.annotations.NullMarked;
