/**
 * What is published of servers, as events of the application.
 */
@NullMarked
package io.github.mcpclient.event;

import org.jspecify.annotations.NullMarked;
