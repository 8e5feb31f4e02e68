/**
 * What surrounds the client: how applications start, run and stop with it.
 */
@NullMarked
package io.github.mcpclient.integration.application;

import org.jspecify.annotations.NullMarked;
