/**
 * The bridge to Spring AI: tools as its tool callbacks.
 */
@NullMarked
package io.github.mcpclient.springai;

import org.jspecify.annotations.NullMarked;
