/**
 * Servers and processes that tests of all packages use.
 */
@NullMarked
package io.github.mcpclient.testsupport;

import org.jspecify.annotations.NullMarked;
