/**
 * The shape of the main code.
 */
@NullMarked
package io.github.mcpclient.integration.architecture;

import org.jspecify.annotations.NullMarked;
