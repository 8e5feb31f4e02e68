/**
 * Bare HTTP clients, which show what an exchange costs without MCP.
 */
@NullMarked
package io.github.mcpclient.benchmarks.bare;

import org.jspecify.annotations.NullMarked;
