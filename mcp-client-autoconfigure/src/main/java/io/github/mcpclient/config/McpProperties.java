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
 * reports all mistakes together; a bean of this type shows the result.
 *
 * @param enabled Whether to enable the MCP client.
 * @param transports Transport types that servers may have, whoever defines them: a server
 * of any other type is refused. All types where not set.
 * @param startup how servers are connected when the application starts
 * @param tools what holds for the tools of all servers
 * @param selections Selections of tools by name: patterns for the prefixed or original
 * names of tools, in which '*' and '?' are wildcards. One that begins with '!' denies;
 * the last that matches a tool decides.
 * @param observations what is observed of requests
 * @param runtimes what runs packages
 * @param imports what holds for servers of imported files
 * @param reload whether changes of the configuration are applied while the application
 * runs
 * @param defaults the settings of servers that do not say otherwise
 * @param servers MCP servers to connect to, by name. A name has letters, digits, '.', '_'
 * and '-'; one with a dot is written in brackets.
 */
@ConfigurationProperties("mcp")
public record McpProperties(@DefaultValue("true") boolean enabled, @Nullable List<String> transports,
		@DefaultValue Startup startup, @DefaultValue Tools tools, @DefaultValue Map<String, List<String>> selections,
		@DefaultValue Observations observations, @DefaultValue Runtimes runtimes,
		@Name("import") @JsonProperty("import") @DefaultValue Import imports, @DefaultValue Reload reload,
		@NestedConfigurationProperty @DefaultValue McpServerProperties defaults,
		@DefaultValue Map<String, McpServerProperties> servers) {

	/**
	 * How servers are connected when the application starts.
	 *
	 * @param mode When to connect to the servers: at the start, or at their first use.
	 * Required servers are connected at the start in any case.
	 * @param firstAttempts How long the start of the application waits for the first
	 * attempts to connect. In lazy mode, how long a first use waits. With 0s nothing
	 * waits.
	 */
	public record Startup(@DefaultValue("eager") Mode mode,
			@Name("wait") @JsonProperty("wait") @DefaultValue("5s") Duration firstAttempts) {

		/**
		 * When to connect.
		 */
		public enum Mode {

			/**
			 * At the start of the application.
			 */
			EAGER,

			/**
			 * At the first use.
			 */
			LAZY

		}

	}

	/**
	 * What holds for the tools of all servers. A tool must pass this and the settings of
	 * its server, which cannot lift a restriction.
	 *
	 * @param filter Patterns for the prefixed or original names of the tools that the
	 * application gets, of whatever server, in which '*' and '?' are wildcards. One that
	 * begins with '!' denies; the last that matches a tool decides. All tools where
	 * empty.
	 * @param access Which tools the application gets, of whatever server, by what they
	 * say of themselves in readOnlyHint.
	 * @param allowDestructive Whether the application gets tools, of whatever server,
	 * that may be destructive, by destructiveHint.
	 * @param allowOpenWorld Whether the application gets tools, of whatever server, that
	 * may interact with an open world, such as the web, by openWorldHint.
	 * @param pins File that keeps which definitions of tools are approved, for servers
	 * with tools.pinning, such as file:mcp-tools.lock. A bean of type McpToolPinStore
	 * takes its place.
	 * @param pinFirstListing Whether to approve the tools that a server lists while none
	 * of its tools has been approved yet.
	 * @param beans which tools are beans
	 * @param search whether models search the tools
	 */
	public record Tools(@DefaultValue List<String> filter, @DefaultValue("all") McpToolAccess access,
			@DefaultValue("true") boolean allowDestructive, @DefaultValue("true") boolean allowOpenWorld,
			@Nullable String pins, @DefaultValue("false") boolean pinFirstListing, @DefaultValue Beans beans,
			@DefaultValue Search search) {

		/**
		 * Return what is asked of the hints of tools.
		 * @return the policy
		 */
		public McpToolPolicy toPolicy() {
			return new McpToolPolicy(this.access, this.allowDestructive, this.allowOpenWorld);
		}

		/**
		 * Which tools are beans. Whatever the settings, all tools are in the catalog, and
		 * can be injected with a qualifier.
		 *
		 * @param enabled Whether each tool is a bean by its name.
		 * @param max Largest number of tools that become beans, including those that have
		 * gone. All further ones are in the catalog only.
		 */
		public record Beans(@DefaultValue("true") boolean enabled, @DefaultValue("10000") int max) {

		}

		/**
		 * Whether models search the tools.
		 *
		 * @param enabled Whether models get the tools 'search_tools' and 'call_tool' in
		 * place of the tools of servers, if there are more of these than the threshold.
		 * @param threshold Number of tools, of a model or of its selection, above which
		 * models search them.
		 */
		public record Search(@DefaultValue("false") boolean enabled, @DefaultValue("30") int threshold) {

		}

	}

	/**
	 * What is observed of requests, where Micrometer observes.
	 *
	 * @param includeArguments Whether spans include the arguments of tool calls, up to
	 * 4,000 characters, and those of prompts. They may contain personal data; configured
	 * secrets are masked.
	 * @param includeResults Whether spans include the results of tool calls, up to 4,000
	 * characters. They may contain personal data; configured secrets are masked.
	 * @param maxNames How many tools, and how many prompts, of each server have their
	 * names in the tags of metrics. All further ones are "other".
	 */
	public record Observations(@DefaultValue("false") boolean includeArguments,
			@DefaultValue("false") boolean includeResults, @DefaultValue("100") int maxNames) {

	}

	/**
	 * What runs packages.
	 *
	 * @param npm what runs packages of npm
	 * @param pypi what runs packages of PyPI
	 * @param oci what runs images
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
		 * What runs packages of one kind.
		 *
		 * @param command Command that runs the packages of this kind, with arguments of
		 * its own if it has some.
		 */
		public record Runtime(@Nullable List<String> command) {

			List<String> command(String builtIn) {
				return CollectionUtils.isEmpty(this.command) ? List.of(builtIn) : this.command;
			}

		}

	}

	/**
	 * What holds for servers of imported files.
	 *
	 * @param allowStdio Whether an imported file may have servers that run as child
	 * processes. Whoever can write such a file can have any program run.
	 * @param prefer Which packages and remotes of a server.json of the MCP registry to
	 * use, the best first: npm, pypi, oci, streamable-http, sse. Needed if it has
	 * several.
	 */
	public record Import(@DefaultValue("true") boolean allowStdio, @DefaultValue List<String> prefer) {

	}

	/**
	 * Whether changes of the configuration are applied while the application runs.
	 *
	 * @param enabled Whether to watch the files of the configuration, and to reload it
	 * when they change, or when Spring Cloud has changed the environment.
	 * @param interval How often to look at the files. A change is applied once two looks
	 * have seen the same files.
	 */
	public record Reload(@DefaultValue("false") boolean enabled, @DefaultValue("2s") Duration interval) {

	}

}
