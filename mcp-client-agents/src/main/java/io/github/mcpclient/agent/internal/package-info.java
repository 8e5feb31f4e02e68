/**
 * What the bridges to agent libraries share. Not an API.
 */
@NullMarked
package io.github.mcpclient.agent.internal;

import org.jspecify.annotations.NullMarked;
