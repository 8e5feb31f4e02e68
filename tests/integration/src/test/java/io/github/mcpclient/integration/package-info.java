/**
 * Tests of the whole client as an application meets it.
 */
@NullMarked
package io.github.mcpclient.integration;

import org.jspecify.annotations.NullMarked;
