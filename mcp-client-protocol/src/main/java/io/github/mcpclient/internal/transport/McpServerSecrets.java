package io.github.mcpclient.internal.transport;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.Secrets;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The secrets in the definition of a server: headers, credentials, environment variables,
 * arguments that look like secrets, user info and query of the URL, the experimental
 * settings, and the arguments of tools that rules fix. They include the application's
 * secrets that a package runner gets.
 */
public final class McpServerSecrets {

	private McpServerSecrets() {
	}

	/**
	 * Collect the secrets of a server.
	 */
	public static Secrets of(McpServerDefinition definition) {
		return of(definition, System.getenv());
	}

	static Secrets of(McpServerDefinition definition, Map<String, String> application) {
		Secrets.Builder secrets = Secrets.builder()
			.settings(definition.experimentalCapabilities())
			.settings(definition.options())
			.values(definition.secrets());
		rules(definition).forEach((rule) -> secrets.settings(rule.arguments()));
		McpServerAuth auth = definition.auth();
		Stream
			.of(auth.bearer().token(), auth.basic().password(), auth.oauth2().clientSecret(),
					auth.oauth2().privateKey())
			.filter(StringUtils::hasText)
			.forEach((secret) -> secrets.environment(Map.of("auth", secret)));
		Http http = definition.http();
		if (http != null) {
			secrets.headers(http.headers()).url(http.url());
			Proxy proxy = http.proxy();
			String password = (proxy != null) ? proxy.password() : null;
			if (password != null) {
				secrets.environment(Map.of("proxy", password));
			}
		}
		Stdio stdio = definition.stdio();
		if (stdio != null) {
			secrets.environment(stdio.env())
				.arguments(stdio.command(), stdio.args())
				.values(PackageRunner.secrets(forPackageRunner(stdio, application)));
		}
		return secrets.build();
	}

	/**
	 * Return the name of the program that may have to download the server, such as
	 * {@code npx}, or {@code null} if no such program is used.
	 */
	public static @Nullable String packageRunner(Stdio stdio) {
		PackageRunner runner = PackageRunner.of(stdio);
		return (runner != null) ? runner.name() : null;
	}

	/**
	 * Return the environment variables of the application that such a program needs to
	 * reach its registry; empty if no such program is used.
	 */
	public static Map<String, String> forPackageRunner(Stdio stdio, Map<String, String> application) {
		PackageRunner runner = PackageRunner.of(stdio);
		return (runner != null) ? runner.variables(application, stdio.env().keySet()) : Map.of();
	}

	/**
	 * Return the names of the arguments of tools that rules fix. Their values are not
	 * secrets in other places if they are short, or not texts.
	 */
	public static Set<String> fixedArguments(McpServerDefinition definition) {
		return rules(definition).flatMap((rule) -> rule.arguments().keySet().stream()).collect(Collectors.toSet());
	}

	/**
	 * Return whether the secrets of another definition include the arguments that the
	 * rules of a definition fix.
	 */
	public static boolean areFixedArgumentsKnown(McpServerDefinition definition, McpServerDefinition known) {
		Set<Map<String, Object>> masked = rules(known).map(McpToolRule::arguments).collect(Collectors.toSet());
		return rules(definition).map(McpToolRule::arguments)
			.allMatch((fixed) -> fixed.isEmpty() || masked.contains(fixed));
	}

	private static Stream<McpToolRule> rules(McpServerDefinition definition) {
		return Stream.concat(definition.tools().defaultRules().stream(), definition.tools().rules().stream());
	}

}
