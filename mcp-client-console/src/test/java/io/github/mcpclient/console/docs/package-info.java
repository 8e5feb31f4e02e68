/**
 * What pages of the documentation show.
 */
@NullMarked
package io.github.mcpclient.console.docs;

import org.jspecify.annotations.NullMarked;
