/**
 * Support classes that all parts of the client share: threads, time and printable text.
 * Not part of the API.
 */
@NullMarked
package io.github.mcpclient.internal.support;

import org.jspecify.annotations.NullMarked;
