/**
 * The code of the documentation, run by tests.
 */
@NullMarked
package io.github.mcpclient.docs;

import org.jspecify.annotations.NullMarked;
