/**
 * Events of servers, published as application events, and listeners for their messages.
 */
@NullMarked
package io.github.mcpclient.event;

import org.jspecify.annotations.NullMarked;
