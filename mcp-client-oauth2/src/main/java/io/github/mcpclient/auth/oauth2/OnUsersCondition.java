package io.github.mcpclient.auth.oauth2;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.oauth2.core.AuthorizationGrantType;

/**
 * Whether users log in for calls of any server, as far as the configuration says.
 */
class OnUsersCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Set<String> logins = logins(context.getEnvironment()).keySet();
		ConditionMessage.Builder message = ConditionMessage.forCondition("MCP logins of users");
		return logins.isEmpty()
				? ConditionOutcome.noMatch(message.because("no mcp.servers.<name>.auth.oauth2 has grant-type "
						+ "authorization-code, or a registration-id for that grant"))
				: ConditionOutcome.match(message.found("login by").items(ConditionMessage.Style.QUOTE, logins));
	}

	/**
	 * Return what has users log in, by the properties' prefix.
	 */
	static Map<String, OAuth2> logins(Environment environment) {
		Map<String, OAuth2> logins = new LinkedHashMap<>();
		McpServersConfig.authorizations((ConfigurableEnvironment) environment).forEach((prefix, auth) -> {
			OAuth2 settings = McpServerAuth.OAUTH2.equals(auth.type()) ? auth.oauth2() : null;
			if (settings != null && logsUsersIn(settings, environment)) {
				logins.put(prefix, settings);
			}
		});
		return logins;
	}

	private static boolean logsUsersIn(OAuth2 settings, Environment environment) {
		if (Boolean.TRUE.equals(settings.interactive())) {
			return false;
		}
		if (settings.grantType() != null || settings.registrationId() == null) {
			return settings.grantType() == GrantType.AUTHORIZATION_CODE;
		}
		// of a registration that is a bean, nothing is known yet
		String ofRegistration = environment.getProperty("spring.security.oauth2.client.registration."
				+ settings.registrationId() + ".authorization-grant-type");
		return ofRegistration == null || ofRegistration.equals(AuthorizationGrantType.AUTHORIZATION_CODE.getValue());
	}

}
