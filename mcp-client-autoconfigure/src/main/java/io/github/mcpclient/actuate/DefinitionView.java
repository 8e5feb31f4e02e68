package io.github.mcpclient.actuate;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Elicitation;
import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Limits;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.definition.McpServerDefinition.Sampling;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a server, with its defaults. Headers and variables are shown by name
 * only, and credentials are omitted. The effective rules are shown with the tools.
 */
@JsonInclude(Include.NON_NULL)
record DefinitionView(boolean enabled, String protocol, @Nullable HttpView http, @Nullable StdioView stdio, String auth,
		Timeouts timeouts, Reconnect reconnect, LimitsView limits, Tools tools, Feature prompts, Resources resources,
		@Nullable LoggingLevel loggingLevel, Sampling sampling, Elicitation elicitation, List<String> roots) {

	static DefinitionView of(McpServerDefinition definition) {
		Secrets secrets = McpServerSecrets.of(definition);
		Http http = definition.http();
		Stdio stdio = definition.stdio();
		return new DefinitionView(definition.enabled(), definition.protocol(),
				(http != null) ? HttpView.of(http) : null, (stdio != null) ? StdioView.of(stdio, secrets) : null,
				definition.auth().type(), definition.timeouts(), definition.reconnect(),
				LimitsView.of(definition.limits()), definition.tools(), definition.prompts(), definition.resources(),
				definition.loggingLevel(), definition.sampling(), definition.elicitation(),
				definition.roots().directories().stream().map(secrets::mask).toList());
	}

	@Override
	@JsonIgnoreProperties({ "defaultRules", "rules" })
	public Tools tools() {
		return this.tools;
	}

	/**
	 * How a server is reached over HTTP.
	 */
	@JsonInclude(Include.NON_NULL)
	public record HttpView(Collection<String> headers, @Nullable String sslBundle, @Nullable String proxy,
			boolean terminateOnClose, @Nullable Duration sseReadTimeout, @Nullable Boolean cookies) {

		static HttpView of(Http http) {
			Proxy proxy = http.proxy();
			return new HttpView(http.headers().keySet(), http.sslBundle(),
					(proxy != null) ? proxy.host() + ":" + proxy.port() : null, http.terminateOnClose(),
					http.sseReadTimeout(), http.cookies() ? true : null);
		}

	}

	/**
	 * How a child process is started.
	 */
	@JsonInclude(Include.NON_NULL)
	public record StdioView(@Nullable String packageName, Collection<String> env, boolean inheritEnvironment,
			@Nullable String workingDirectory, String encoding) {

		static StdioView of(Stdio stdio, Secrets secrets) {
			return new StdioView((stdio.packageName() != null) ? secrets.mask(stdio.packageName()) : null,
					stdio.env().keySet(), stdio.inheritEnvironment(),
					(stdio.workingDirectory() != null) ? secrets.mask(stdio.workingDirectory().toString()) : null,
					stdio.encoding().name());
		}

	}

	/**
	 * Limits, with sizes in bytes.
	 */
	@JsonInclude(Include.NON_NULL)
	public record LimitsView(long maxMessageSize, long maxResultSize, int maxTools,
			@Nullable Integer maxConcurrentCalls) {

		static LimitsView of(Limits limits) {
			return new LimitsView(limits.maxMessageSize().toBytes(), limits.maxResultSize().toBytes(),
					limits.maxTools(), limits.maxConcurrentCalls());
		}

	}

}
