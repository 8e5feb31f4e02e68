/**
 * What guards the tools of servers: approved definitions, and rules for single tools.
 */
@NullMarked
package io.github.mcpclient.guard;

import org.jspecify.annotations.NullMarked;
