/**
 * What servers may ask of the application: sampling, elicitation and roots, answered by
 * its handlers.
 */
@NullMarked
package io.github.mcpclient.internal.answer;

import org.jspecify.annotations.NullMarked;
