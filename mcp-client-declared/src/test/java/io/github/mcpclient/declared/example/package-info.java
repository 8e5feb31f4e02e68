/**
 * Declared clients to be found by their package.
 */
@NullMarked
package io.github.mcpclient.declared.example;

import org.jspecify.annotations.NullMarked;
