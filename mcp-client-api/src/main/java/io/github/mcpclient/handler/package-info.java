/**
 * Handlers of an application for requests of servers: sampling, elicitation, and roots.
 */
@NullMarked
package io.github.mcpclient.handler;

import org.jspecify.annotations.NullMarked;
