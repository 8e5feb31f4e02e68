/**
 * What puts the parts of the client together.
 */
@NullMarked
package io.github.mcpclient.internal.assembly;

import org.jspecify.annotations.NullMarked;
