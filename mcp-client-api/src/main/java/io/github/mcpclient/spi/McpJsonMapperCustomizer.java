package io.github.mcpclient.spi;

import tools.jackson.databind.json.JsonMapper;

/**
 * Strategy interface for customizing the mapper that serializes arguments and
 * deserializes results of tools from and to types of the application, for example to add
 * a module. Beans of this type are applied in their order, when the client is created. If
 * one throws an exception, startup fails.
 *
 * <p>
 * The client uses a separate mapper, which is not the mapper of the application. It omits
 * properties that are {@code null}, and ignores properties that a type does not have. The
 * protocol messages themselves are serialized by another mapper, which cannot be
 * customized.
 *
 * @see io.github.mcpclient.McpTool#call(Object)
 * @see io.github.mcpclient.McpToolResult#structuredContent(Class)
 */
@FunctionalInterface
public interface McpJsonMapperCustomizer {

	/**
	 * Customize the mapper before it is built.
	 */
	void customize(JsonMapper.Builder builder);

}
