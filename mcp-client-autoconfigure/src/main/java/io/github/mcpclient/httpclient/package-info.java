/**
 * The HTTP clients of servers as Spring Boot configures them.
 */
@NullMarked
package io.github.mcpclient.httpclient;

import org.jspecify.annotations.NullMarked;
