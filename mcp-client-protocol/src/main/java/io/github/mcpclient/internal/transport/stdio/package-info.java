/**
 * The transport to a child process, over its standard input and output.
 */
@NullMarked
package io.github.mcpclient.internal.transport.stdio;

import org.jspecify.annotations.NullMarked;
