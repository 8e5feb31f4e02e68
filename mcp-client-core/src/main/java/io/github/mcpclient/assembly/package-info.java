/**
 * What puts the parts of the client together.
 */
@NullMarked
package io.github.mcpclient.assembly;

import org.jspecify.annotations.NullMarked;
