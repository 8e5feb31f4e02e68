/**
 * Support for tests of applications that use the MCP client.
 */
@NullMarked
package io.github.mcpclient.test;

import org.jspecify.annotations.NullMarked;
