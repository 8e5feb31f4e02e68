/**
 * What is special about servers that are child processes, packages or containers.
 */
@NullMarked
package io.github.mcpclient.integration.stdio;

import org.jspecify.annotations.NullMarked;
