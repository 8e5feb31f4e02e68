/**
 * The HTTP clients of servers with Spring Boot's settings.
 */
@NullMarked
package io.github.mcpclient.internal.httpclient;

import org.jspecify.annotations.NullMarked;
