/**
 * The tools as beans of the application, and what else Spring has to know of the servers.
 */
@NullMarked
package io.github.mcpclient.beans;

import org.jspecify.annotations.NullMarked;
