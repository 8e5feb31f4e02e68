/**
 * Authorization of requests.
 */
@NullMarked
package io.github.mcpclient.auth;

import org.jspecify.annotations.NullMarked;
