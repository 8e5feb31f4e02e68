/**
 * Interfaces that an application implements to provide transports, HTTP clients and other
 * extensions, and their exceptions.
 */
@NullMarked
package io.github.mcpclient.spi;

import org.jspecify.annotations.NullMarked;
