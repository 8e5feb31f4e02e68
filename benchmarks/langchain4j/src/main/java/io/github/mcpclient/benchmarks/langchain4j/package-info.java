/**
 * LangChain4j's client.
 */
@NullMarked
package io.github.mcpclient.benchmarks.langchain4j;

import org.jspecify.annotations.NullMarked;
