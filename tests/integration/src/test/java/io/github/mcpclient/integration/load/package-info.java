/**
 * Large results, many servers and busy threads.
 */
@NullMarked
package io.github.mcpclient.integration.load;

import org.jspecify.annotations.NullMarked;
