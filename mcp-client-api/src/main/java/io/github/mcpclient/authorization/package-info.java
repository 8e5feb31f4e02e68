/**
 * Headers and credentials that an application provides for requests to servers.
 */
@NullMarked
package io.github.mcpclient.authorization;

import org.jspecify.annotations.NullMarked;
