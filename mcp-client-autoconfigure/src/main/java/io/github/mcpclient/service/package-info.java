/**
 * Where servers are that something else starts, such as the containers of a test.
 */
@NullMarked
package io.github.mcpclient.service;

import org.jspecify.annotations.NullMarked;
