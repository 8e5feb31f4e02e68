/**
 * How servers are configured, added, changed and removed, and what operators read of
 * them.
 */
@NullMarked
package io.github.mcpclient.integration.servers;

import org.jspecify.annotations.NullMarked;
