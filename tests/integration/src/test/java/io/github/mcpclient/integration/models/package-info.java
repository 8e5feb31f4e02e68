/**
 * What models read, and what they call.
 */
@NullMarked
package io.github.mcpclient.integration.models;

import org.jspecify.annotations.NullMarked;
