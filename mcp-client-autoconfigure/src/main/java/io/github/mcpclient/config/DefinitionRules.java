package io.github.mcpclient.config;

import java.nio.file.Path;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.McpServerDefinition.Stdio;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a definition that code made: the same as for the settings of a server
 * that is configured, in the same words.
 */
final class DefinitionRules {

	private DefinitionRules() {
	}

	/**
	 * Find the mistakes in a definition, but for its name.
	 * @param definition the definition
	 * @param place where it comes from
	 * @param types the types that there are
	 * @return the mistakes; none for a server that is not enabled
	 */
	static Problems problems(McpServerDefinition definition, Place place, TransportTypes types) {
		Problems problems = new Problems();
		if (definition.enabled()) {
			McpServerProperties values = values(definition);
			String type = types.find(definition.type());
			ServerType serverType = (type != null) ? new ServerType(type, definition.typeInferred()) : null;
			String refusal = (serverType != null) ? types.refusal(serverType) : null;
			if (refusal != null) {
				problems.add(place.problem("type", refusal));
			}
			else if (serverType != null) {
				checkTarget(values, serverType, place, problems);
			}
			else {
				problems.add(place.problem("type", types.unknown(definition.type())));
			}
			SettingsRules rules = new SettingsRules(place, problems);
			rules.check(values);
			rules.checkDelays(values.getReconnect(), definition.reconnect());
		}
		return problems;
	}

	private static void checkTarget(McpServerProperties values, ServerType type, Place place, Problems problems) {
		TargetRules rules = new TargetRules(place, problems);
		if (type.isStdio()) {
			if (values.getUrl() != null) {
				problems.add(place.problem("url", TargetRules.notForStdio(type)));
			}
			rules.checkCommand(values);
		}
		else {
			if (type.isHttp() && values.getCommand() != null) {
				problems.add(place.problem("command", TargetRules.notForHttp(type)));
			}
			rules.checkUrl(values.getUrl(), type);
		}
	}

	private static McpServerProperties values(McpServerDefinition definition) {
		McpServerProperties values = new McpServerProperties();
		Http http = definition.http();
		if (http != null) {
			values.setUrl(http.url().toString());
			values.setHeaders(http.headers());
			values.setSseReadTimeout(http.sseReadTimeout());
		}
		Stdio stdio = definition.stdio();
		if (stdio != null) {
			values.setCommand(stdio.command());
			values.setArgs(stdio.args());
			values.setEnv(stdio.env());
			values.setWorkingDirectory(text(stdio.workingDirectory()));
		}
		values.setRequestTimeout(definition.timeouts().request());
		values.setInitializationTimeout(definition.timeouts().initialization());
		values.setFirstStartTimeout(definition.timeouts().firstStart());
		values.setConnectTimeout(definition.timeouts().connect());
		values.setKeepAliveInterval(definition.timeouts().keepAliveInterval());
		values.setMaxMessageSize(definition.limits().maxMessageSize());
		values.setMaxResultSize(definition.limits().maxResultSize());
		values.setMaxConcurrentCalls(definition.limits().maxConcurrentCalls());
		values.getTools().setMax(definition.limits().maxTools());
		values.getTools().setFilter(definition.tools().filter());
		values.getTools().setHideWhenUnavailable(definition.tools().hideWhenUnavailable());
		values.getReconnect().setInitialDelay(definition.reconnect().initialDelay());
		values.getReconnect().setMultiplier(definition.reconnect().multiplier());
		values.getReconnect().setMaxDelay(definition.reconnect().maxDelay());
		values.getReconnect().setJitter(definition.reconnect().jitter());
		values.setConfig(definition.experimentalCapabilities());
		return values;
	}

	private static @Nullable String text(@Nullable Path path) {
		return (path != null) ? path.toString() : null;
	}

	/**
	 * Names the settings of a definition.
	 *
	 * @param prefix what their names begin with
	 */
	record Definition(String prefix) implements Place {

		@Override
		public Problem problem(String setting, String message) {
			return new Problem(this.prefix + setting, message, null);
		}

		@Override
		public Problem problem(String map, String key, String message) {
			return problem(map + ((key.indexOf('.') != -1) ? "[" + key + "]" : "." + key), message);
		}

	}

}
