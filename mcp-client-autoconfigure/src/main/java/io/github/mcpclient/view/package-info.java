/**
 * What operators see of the servers, without secrets, as it is written as JSON.
 */
@NullMarked
package io.github.mcpclient.view;

import org.jspecify.annotations.NullMarked;
