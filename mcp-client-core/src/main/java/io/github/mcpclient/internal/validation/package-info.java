/**
 * Validation of definitions of any origin.
 */
@NullMarked
package io.github.mcpclient.internal.validation;

import org.jspecify.annotations.NullMarked;
