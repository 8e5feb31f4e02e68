/**
 * All connections by name, their lifecycle, and the tool beans.
 */
@NullMarked
package io.github.mcpclient.registry;

import org.jspecify.annotations.NullMarked;
