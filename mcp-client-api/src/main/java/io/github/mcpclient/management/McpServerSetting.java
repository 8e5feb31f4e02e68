package io.github.mcpclient.management;

/**
 * A property that is set for a server. Secrets are masked.
 *
 * @param name the full name of the property, below {@code mcp.servers} or
 * {@code mcp.defaults}
 * @param value the value in the configuration, with unresolved placeholders
 * @param origin the file and line, or the property source, of the value
 * @see ManagedMcpServer#settings()
 */
public record McpServerSetting(String name, String value, String origin) {

}
