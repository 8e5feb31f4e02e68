/**
 * Connection details of servers, such as the containers of a test.
 */
@NullMarked
package io.github.mcpclient.service;

import org.jspecify.annotations.NullMarked;
