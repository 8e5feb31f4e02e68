package io.github.mcpclient.spi;

import tools.jackson.databind.json.JsonMapper;

/**
 * Changes the mapper that writes the arguments and reads the results of tools that are
 * types of the application, for example to add a module. Beans of this type are applied
 * in their order, when the client is created; one that fails fails the start.
 *
 * <p>
 * The mapper is that of the client, not that of the application. It leaves out members
 * that are {@code null}, and ignores those that a type does not have. What is sent and
 * received is written and read by others, which nothing changes.
 *
 * @see io.github.mcpclient.McpTool#call(Object)
 * @see io.github.mcpclient.McpToolResult#structuredContent(Class)
 */
@FunctionalInterface
public interface McpJsonMapperCustomizer {

	/**
	 * Change the mapper before it is built.
	 */
	void customize(JsonMapper.Builder builder);

}
