package io.github.mcpclient.auth.oauth2;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Whether logins need the repository of this module: a server has a dedicated client, or
 * the application has no repository of the type that the bean method returns. Otherwise
 * the repository of the application has all registrations.
 */
class OnClientsOfServersCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("MCP client registrations");
		List<String> own = new ArrayList<>();
		OnUsersCondition.logins(context.getEnvironment()).forEach((prefix, settings) -> {
			if (settings.registrationId() == null) {
				own.add(prefix);
			}
		});
		if (!own.isEmpty()) {
			return ConditionOutcome
				.match(message.found("login without a registration-id by").items(ConditionMessage.Style.QUOTE, own));
		}
		Class<?> type = ClassUtils.resolveClassName(((MethodMetadata) metadata).getReturnTypeName(),
				context.getClassLoader());
		String[] beans = Objects.requireNonNull(context.getBeanFactory()).getBeanNamesForType(type, true, false);
		return (beans.length == 1)
				? ConditionOutcome.noMatch(message.found("repository of all registrations").items((Object[]) beans))
				: ConditionOutcome.match(message.because("the application has not one " + type.getSimpleName()));
	}

}
