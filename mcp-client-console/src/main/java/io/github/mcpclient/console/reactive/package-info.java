/**
 * What Spring Security needs for the console, in reactive applications.
 */
@NullMarked
package io.github.mcpclient.console.reactive;

import org.jspecify.annotations.NullMarked;
