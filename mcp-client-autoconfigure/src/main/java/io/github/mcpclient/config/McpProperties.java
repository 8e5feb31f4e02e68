package io.github.mcpclient.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.CollectionUtils;

/**
 * Configuration properties of the MCP client. {@link McpServersConfig} reads them, and
 * reports all errors together; a bean of this type contains the result.
 *
 * @param enabled Whether to enable the MCP client.
 * @param transports Transport types that servers may have, regardless of where the
 * servers are defined. A server of another type is rejected; all types are accepted by
 * default.
 * @param startup the connection of servers at startup
 * @param tools restrictions and settings of the tools of all servers
 * @param selections Selections of tools by name: lists of patterns for the names of
 * tools, as in tools.filter of a server.
 * @param observations the observations of requests
 * @param runtimes the commands that run packages
 * @param imports the servers of imported files
 * @param reload the reload of the configuration at runtime
 * @param defaults the default settings of servers
 * @param servers MCP servers to connect to, by name. A name consists of letters, digits,
 * '.', '_' and '-'; a name with a dot is written in brackets.
 */
@ConfigurationProperties("mcp")
public record McpProperties(@DefaultValue("true") boolean enabled, @Nullable List<String> transports,
		@DefaultValue Startup startup, @DefaultValue Tools tools, @DefaultValue Map<String, List<String>> selections,
		@DefaultValue Observations observations, @DefaultValue Runtimes runtimes,
		@Name("import") @JsonProperty("import") @DefaultValue Import imports, @DefaultValue Reload reload,
		@NestedConfigurationProperty @DefaultValue McpServerProperties defaults,
		@DefaultValue Map<String, McpServerProperties> servers) {

	/**
	 * The connection of servers at startup.
	 *
	 * @param mode When to connect to the servers: at startup, or at their first use.
	 * Required servers always connect at startup.
	 * @param firstAttempts Maximum time that startup or, in lazy mode, a first use waits
	 * for the first attempts to connect. With 0s, nothing waits.
	 */
	public record Startup(@DefaultValue("eager") Mode mode,
			@Name("wait") @JsonProperty("wait") @DefaultValue("5s") Duration firstAttempts) {

		/**
		 * When to connect.
		 */
		public enum Mode {

			/**
			 * At startup.
			 */
			EAGER,

			/**
			 * At the first use.
			 */
			LAZY

		}

	}

	/**
	 * Restrictions and settings of the tools of all servers. A tool must satisfy these
	 * and the settings of its server, which cannot remove a restriction.
	 *
	 * @param filter Patterns for the names of the tools of all servers to include, as in
	 * tools.filter of a server. All tools by default.
	 * @param access Tools of all servers to include, by their readOnlyHint annotation.
	 * @param allowDestructive Whether to include tools of all servers that may be
	 * destructive, by their destructiveHint annotation.
	 * @param allowOpenWorld Whether to include tools of all servers that may interact
	 * with an open world, such as the web, by their openWorldHint annotation.
	 * @param pins File that stores the approved definitions of tools, for servers with
	 * tools.pinning, such as file:mcp-tools.lock. Ignored if there is an McpToolPinStore
	 * bean.
	 * @param pinFirstListing Whether to approve the tools that a server lists while none
	 * of its tools is approved.
	 * @param beans the beans of tools
	 * @param search the search for tools by models
	 */
	public record Tools(@DefaultValue List<String> filter, @DefaultValue("all") McpToolAccess access,
			@DefaultValue("true") boolean allowDestructive, @DefaultValue("true") boolean allowOpenWorld,
			@Nullable String pins, @DefaultValue("false") boolean pinFirstListing, @DefaultValue Beans beans,
			@DefaultValue Search search) {

		/**
		 * Return the restrictions on the hints of tools.
		 * @return the policy
		 */
		public McpToolPolicy toPolicy() {
			return new McpToolPolicy(this.access, this.allowDestructive, this.allowOpenWorld);
		}

		/**
		 * The beans of tools. Regardless of these settings, all tools are in the catalog,
		 * and can be injected with a qualifier.
		 *
		 * @param enabled Whether to register each tool as a bean with its name.
		 * @param max Maximum number of tools that become beans, including tools that were
		 * removed. Further tools are in the catalog only.
		 */
		public record Beans(@DefaultValue("true") boolean enabled, @DefaultValue("10000") int max) {

		}

		/**
		 * The search for tools by models.
		 *
		 * @param enabled Whether to replace the tools of servers by search_tools and
		 * call_tool for models, if there are more tools than the threshold.
		 * @param threshold Number of tools of a model, or of its selection, above which
		 * models search them.
		 */
		public record Search(@DefaultValue("false") boolean enabled, @DefaultValue("30") int threshold) {

		}

	}

	/**
	 * The observations of requests, if Micrometer is available.
	 *
	 * @param includeArguments Whether spans include the arguments of tool calls, up to
	 * 4,000 characters, and of prompts. Arguments may contain personal data; configured
	 * secrets are masked.
	 * @param includeResults Whether spans include the results of tool calls, up to 4,000
	 * characters. Results may contain personal data; configured secrets are masked.
	 * @param maxNames Maximum number of tools, and of prompts, of each server whose names
	 * are tags of metrics. The tag of further names is 'other'.
	 */
	public record Observations(@DefaultValue("false") boolean includeArguments,
			@DefaultValue("false") boolean includeResults, @DefaultValue("100") int maxNames) {

	}

	/**
	 * The commands that run packages.
	 *
	 * @param npm the command for packages of npm
	 * @param pypi the command for packages of PyPI
	 * @param oci the command for container images
	 */
	public record Runtimes(@DefaultValue Runtime npm, @DefaultValue Runtime pypi, @DefaultValue Runtime oci) {

		List<String> command(String kind) {
			return switch (kind) {
				case "npm" -> this.npm.command("npx");
				case "pypi" -> this.pypi.command("uvx");
				default -> this.oci.command("docker");
			};
		}

		/**
		 * The command that runs packages of one kind.
		 *
		 * @param command Command that runs packages of this kind, with its arguments, if
		 * any.
		 */
		public record Runtime(@Nullable List<String> command) {

			List<String> command(String builtIn) {
				return CollectionUtils.isEmpty(this.command) ? List.of(builtIn) : this.command;
			}

		}

	}

	/**
	 * The servers of imported files.
	 *
	 * @param allowStdio Whether an imported file may have servers that run as child
	 * processes. Anyone who can write such a file can run any program.
	 * @param prefer Packages and remotes of a server.json of the MCP registry to use, in
	 * order of preference: npm, pypi, oci, streamable-http, sse. Required if the file has
	 * several.
	 */
	public record Import(@DefaultValue("true") boolean allowStdio, @DefaultValue List<String> prefer) {

	}

	/**
	 * The reload of the configuration at runtime.
	 *
	 * @param enabled Whether to watch the configuration files, and to reload the servers
	 * when a file or the environment of Spring Cloud changes.
	 * @param interval Interval between checks of the files, at least 100ms. A change is
	 * applied once two consecutive checks see the same files.
	 */
	public record Reload(@DefaultValue("false") boolean enabled, @DefaultValue("2s") Duration interval) {

	}

}
