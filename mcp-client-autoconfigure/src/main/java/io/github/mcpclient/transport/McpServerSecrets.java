package io.github.mcpclient.transport;

import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The values in a definition that no log and no message may show: those of headers and of
 * environment variables, user info and query of the url, and what the server is told at
 * initialization.
 */
public final class McpServerSecrets {

	private McpServerSecrets() {
	}

	/**
	 * Collect the values of a server.
	 * @param definition the server
	 * @return the values, short words and all
	 */
	public static Set<String> of(McpServerDefinition definition) {
		Set<String> values = new LinkedHashSet<>();
		if (definition.http() != null) {
			definition.http().headers().values().forEach((value) -> {
				values.add(value);
				// "Bearer <token>": the token alone is as secret
				values.add(value.substring(value.indexOf(' ') + 1));
			});
			URI url = definition.http().url();
			addQuery(url.getRawQuery(), values);
			addQuery(url.getQuery(), values);
			addUserInfo(url.getRawUserInfo(), values);
			addUserInfo(url.getUserInfo(), values);
		}
		if (definition.stdio() != null) {
			values.addAll(definition.stdio().env().values());
		}
		addTexts(definition.experimentalCapabilities(), values);
		return values;
	}

	private static void addQuery(@Nullable String query, Set<String> values) {
		if (query != null) {
			for (String parameter : query.split("&")) {
				values.add(parameter.substring(parameter.indexOf('=') + 1));
			}
		}
	}

	private static void addUserInfo(@Nullable String userInfo, Set<String> values) {
		if (userInfo != null) {
			values.add(userInfo);
			values.add(userInfo.substring(userInfo.indexOf(':') + 1));
		}
	}

	private static void addTexts(Object value, Set<String> values) {
		if (value instanceof Map<?, ?> map) {
			map.values().forEach((item) -> addTexts(item, values));
		}
		else if (value instanceof Collection<?> list) {
			list.forEach((item) -> addTexts(item, values));
		}
		else if (value instanceof String text) {
			values.add(text);
		}
	}

}
