/**
 * The bridge to LangChain4j: a tool provider with the tools of MCP servers.
 */
@NullMarked
package io.github.mcpclient.langchain4j;

import org.jspecify.annotations.NullMarked;
