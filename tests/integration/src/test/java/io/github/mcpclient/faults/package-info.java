/**
 * Tests that live through faults with several servers connected.
 */
@NullMarked
package io.github.mcpclient.faults;

import org.jspecify.annotations.NullMarked;
