/**
 * What the parts of the client share inside: threads, time and printable text. Not API.
 */
@NullMarked
package io.github.mcpclient.support;

import org.jspecify.annotations.NullMarked;
