package io.github.mcpclient.transport;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.McpServerDefinition.Stdio;
import io.github.mcpclient.support.Secrets;

/**
 * The secrets in the definition of a server: headers, environment variables, arguments
 * that look like secrets, user info and query of the url, and the experimental settings.
 */
public final class McpServerSecrets {

	private McpServerSecrets() {
	}

	/**
	 * Collects the secrets of a server.
	 */
	public static Secrets of(McpServerDefinition definition) {
		Secrets.Builder secrets = Secrets.builder()
			.settings(definition.experimentalCapabilities())
			.settings(definition.options());
		Http http = definition.http();
		if (http != null) {
			secrets.headers(http.headers()).url(http.url());
		}
		Stdio stdio = definition.stdio();
		if (stdio != null) {
			secrets.environment(stdio.env()).arguments(stdio.command(), stdio.args());
		}
		return secrets.build();
	}

}
