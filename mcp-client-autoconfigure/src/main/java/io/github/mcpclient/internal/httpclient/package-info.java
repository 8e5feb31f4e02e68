/**
 * The HTTP clients of servers as Spring Boot configures them.
 */
@NullMarked
package io.github.mcpclient.internal.httpclient;

import org.jspecify.annotations.NullMarked;
