/**
 * What an application implements to bring its own transports and HTTP clients, and what
 * these throw.
 */
@NullMarked
package io.github.mcpclient.spi;

import org.jspecify.annotations.NullMarked;
