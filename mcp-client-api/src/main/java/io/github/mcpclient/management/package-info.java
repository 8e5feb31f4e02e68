/**
 * Management of servers: adding, replacing, removing, enabling and disabling them, and
 * monitoring and checking their state.
 */
@NullMarked
package io.github.mcpclient.management;

import org.jspecify.annotations.NullMarked;
