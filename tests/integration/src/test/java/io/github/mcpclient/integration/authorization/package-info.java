/**
 * Headers, credentials and secrets.
 */
@NullMarked
package io.github.mcpclient.integration.authorization;

import org.jspecify.annotations.NullMarked;
