/**
 * What the bridges to agent libraries share. Not an API.
 */
@NullMarked
package io.github.mcpclient.model;

import org.jspecify.annotations.NullMarked;
