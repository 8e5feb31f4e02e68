/**
 * What the bridges to agent libraries share. Not an API.
 */
@NullMarked
package io.github.mcpclient.internal.model;

import org.jspecify.annotations.NullMarked;
