/**
 * What servers, gateways, files and authorization servers in use do otherwise than the
 * specification.
 */
@NullMarked
package io.github.mcpclient.interoperability;

import org.jspecify.annotations.NullMarked;
