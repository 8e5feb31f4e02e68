/**
 * OAuth 2.0 for MCP servers, based on Spring Security's client.
 */
@NullMarked
package io.github.mcpclient.auth.oauth2;

import org.jspecify.annotations.NullMarked;
