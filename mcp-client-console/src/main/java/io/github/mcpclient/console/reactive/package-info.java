/**
 * Rules of Spring Security for the console, in reactive applications.
 */
@NullMarked
package io.github.mcpclient.console.reactive;

import org.jspecify.annotations.NullMarked;
