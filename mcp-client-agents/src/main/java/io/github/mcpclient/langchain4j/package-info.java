/**
 * The bridge to LangChain4j: tools as those of a tool provider.
 */
@NullMarked
package io.github.mcpclient.langchain4j;

import org.jspecify.annotations.NullMarked;
