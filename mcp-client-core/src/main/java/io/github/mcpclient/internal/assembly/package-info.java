/**
 * Assembly of the parts of the client.
 */
@NullMarked
package io.github.mcpclient.internal.assembly;

import org.jspecify.annotations.NullMarked;
