/**
 * Which tools an application gets, under which names, and with which rules.
 */
@NullMarked
package io.github.mcpclient.integration.tools;

import org.jspecify.annotations.NullMarked;
