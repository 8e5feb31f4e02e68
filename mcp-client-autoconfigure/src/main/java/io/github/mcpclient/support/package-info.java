/**
 * What the parts of the client share inside: threads and time. Not API.
 */
@NullMarked
package io.github.mcpclient.support;

import org.jspecify.annotations.NullMarked;
