/**
 * Requests of servers to the application: sampling, elicitation and roots, processed by
 * its handlers.
 */
@NullMarked
package io.github.mcpclient.internal.answer;

import org.jspecify.annotations.NullMarked;
