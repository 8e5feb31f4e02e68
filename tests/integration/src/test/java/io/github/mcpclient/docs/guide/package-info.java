/**
 * The application of the README.
 */
@NullMarked
package io.github.mcpclient.docs.guide;

import org.jspecify.annotations.NullMarked;
