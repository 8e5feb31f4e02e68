/**
 * What becomes of calls and other requests to servers.
 */
@NullMarked
package io.github.mcpclient.integration.calls;

import org.jspecify.annotations.NullMarked;
