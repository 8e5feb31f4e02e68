/**
 * What the parts of the client share inside: threads, time and printable text. Not API.
 */
@NullMarked
package io.github.mcpclient.internal.support;

import org.jspecify.annotations.NullMarked;
