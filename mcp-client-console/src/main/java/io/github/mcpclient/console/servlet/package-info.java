/**
 * What Spring Security needs for the console, in servlet applications.
 */
@NullMarked
package io.github.mcpclient.console.servlet;

import org.jspecify.annotations.NullMarked;
