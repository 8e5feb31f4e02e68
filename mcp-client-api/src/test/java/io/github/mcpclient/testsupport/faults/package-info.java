/**
 * The matrix of faults and transports, and what writes it down.
 */
@NullMarked
package io.github.mcpclient.testsupport.faults;

import org.jspecify.annotations.NullMarked;
