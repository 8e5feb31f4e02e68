/**
 * Answers of an application to what servers ask: sampling, elicitation, and roots.
 */
@NullMarked
package io.github.mcpclient.handler;

import org.jspecify.annotations.NullMarked;
