/**
 * The client without Spring Boot.
 */
@NullMarked
package io.github.mcpclient.client;

import org.jspecify.annotations.NullMarked;
