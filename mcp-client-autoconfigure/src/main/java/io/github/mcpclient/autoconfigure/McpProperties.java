package io.github.mcpclient.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.config.McpImportProperties;
import io.github.mcpclient.config.McpServerProperties;
import io.github.mcpclient.config.McpServerSettings;
import io.github.mcpclient.config.McpStartupProperties;
import io.github.mcpclient.config.McpToolsProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Configuration properties of the MCP client. All but {@code mcp.enabled} are read by
 * {@link io.github.mcpclient.config.McpServersConfig McpServersConfig}, whose result this
 * bean shows.
 */
@ConfigurationProperties("mcp")
public class McpProperties {

	/**
	 * Whether to enable the MCP client.
	 */
	private boolean enabled = true;

	/**
	 * Transport types that servers may have, whoever defines them: a server of any other
	 * type is refused. All types where not set.
	 */
	private @Nullable List<String> transports;

	@NestedConfigurationProperty
	private McpStartupProperties startup = new McpStartupProperties();

	@NestedConfigurationProperty
	private McpToolsProperties tools = new McpToolsProperties();

	/**
	 * Selections of tools by name: patterns for the prefixed or original names of tools,
	 * in which '*' and '?' are wildcards. One that begins with '!' denies; the last that
	 * matches a tool decides.
	 */
	private Map<String, List<String>> selections = new LinkedHashMap<>();

	// 'import' is no name for a field
	private McpImportProperties imports = new McpImportProperties();

	@NestedConfigurationProperty
	private McpServerSettings defaults = new McpServerSettings();

	/**
	 * MCP servers to connect to, by name. A name has letters, digits, '.', '_' and '-';
	 * one with a dot is written in brackets.
	 */
	private Map<String, McpServerProperties> servers = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable List<String> getTransports() {
		return this.transports;
	}

	public void setTransports(@Nullable List<String> transports) {
		this.transports = transports;
	}

	public McpStartupProperties getStartup() {
		return this.startup;
	}

	public void setStartup(McpStartupProperties startup) {
		this.startup = startup;
	}

	public McpToolsProperties getTools() {
		return this.tools;
	}

	public void setTools(McpToolsProperties tools) {
		this.tools = tools;
	}

	public Map<String, List<String>> getSelections() {
		return this.selections;
	}

	public void setSelections(Map<String, List<String>> selections) {
		this.selections = selections;
	}

	@NestedConfigurationProperty
	public McpImportProperties getImport() {
		return this.imports;
	}

	public void setImport(McpImportProperties imports) {
		this.imports = imports;
	}

	public McpServerSettings getDefaults() {
		return this.defaults;
	}

	public void setDefaults(McpServerSettings defaults) {
		this.defaults = defaults;
	}

	public Map<String, McpServerProperties> getServers() {
		return this.servers;
	}

	public void setServers(Map<String, McpServerProperties> servers) {
		this.servers = servers;
	}

}
