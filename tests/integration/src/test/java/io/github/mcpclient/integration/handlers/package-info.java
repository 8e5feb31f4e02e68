/**
 * What servers ask for, and send unasked.
 */
@NullMarked
package io.github.mcpclient.integration.handlers;

import org.jspecify.annotations.NullMarked;
