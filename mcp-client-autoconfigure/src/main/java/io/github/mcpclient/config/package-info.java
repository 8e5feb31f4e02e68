/**
 * From properties and imported files to complete server definitions.
 */
@NullMarked
package io.github.mcpclient.config;

import org.jspecify.annotations.NullMarked;
