/**
 * Metrics and traces of the connections, through Micrometer.
 */
@NullMarked
package io.github.mcpclient.observation;

import org.jspecify.annotations.NullMarked;
