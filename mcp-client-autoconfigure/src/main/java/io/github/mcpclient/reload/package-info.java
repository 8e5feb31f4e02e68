/**
 * The configuration of the servers, read again while the application runs.
 */
@NullMarked
package io.github.mcpclient.reload;

import org.jspecify.annotations.NullMarked;
