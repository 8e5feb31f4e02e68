package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * The names of settings in the {@code mcp.json} files of other clients, for suggestions
 * where such a name is used as a property.
 */
final class ForeignNames {

	private static final String FILTER = "tools.filter";

	private static final String OTHER_WAY_ROUND = "enabled (the other way round)";

	private static final Map<String, String> SETTINGS = Map.ofEntries(Map.entry("timeout", "request-timeout"),
			Map.entry("inittimeout", "initialization-timeout"),
			Map.entry("connectiontimeout", "initialization-timeout"),
			Map.entry("startuptimeout", "initialization-timeout"), Map.entry("disabled", OTHER_WAY_ROUND),
			Map.entry("transport", "type"), Map.entry("transporttype", "type"), Map.entry("serverurl", "url"),
			Map.entry("httpurl", "url"), Map.entry("uri", "url"), Map.entry("endpoint", "url"),
			Map.entry("cmd", "command"), Map.entry("cwd", "working-directory"), Map.entry("environment", "env"),
			Map.entry("envs", "env"), Map.entry("filter", FILTER), Map.entry("includetools", FILTER),
			Map.entry("excludetools", FILTER), Map.entry("enabledtools", FILTER), Map.entry("disabledtools", FILTER),
			Map.entry("toolsinclude", FILTER), Map.entry("toolsexclude", FILTER), Map.entry("toolsallow", FILTER),
			Map.entry("toolsdeny", FILTER), Map.entry("token", "auth.bearer.token"),
			Map.entry("authtoken", "auth.bearer.token"), Map.entry("authusername", "auth.basic.username"),
			Map.entry("authpassword", "auth.basic.password"), Map.entry("authclientid", "auth.oauth2.client-id"),
			Map.entry("authclientsecret", "auth.oauth2.client-secret"), Map.entry("authscopes", "auth.oauth2.scopes"),
			Map.entry("oauth", "auth.oauth2"));

	private ForeignNames() {
	}

	/**
	 * Return the setting that has another name in other clients, or {@code null} if it is
	 * unknown.
	 * @param path the part of the name that is known, which may be empty
	 */
	static @Nullable String find(String path, List<String> rest) {
		return SETTINGS.get(PropertyNames.uniform(path + rest.get(0)));
	}

}
