package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.config.PropertyGroup.Property;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.management.McpServerSetting;

import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The settings of one server for operators, read again each time. A value is shown only
 * if the setting is known to have no secrets.
 */
final class ShownSettings {

	private static final Pattern NO_SECRET = Pattern
		.compile("url|command|args(\\[\\d+\\])?|package|enabled|required|type"
				+ "|protocol|ssl\\.bundle|proxy\\.(host|port|non-proxy-hosts(\\[\\d+\\])?|from-environment)"
				+ "|terminate-on-close|cookies|[a-z-]+-(timeout|interval)|max-[a-z-]+|inherit-environment|memory|network"
				+ "|working-directory|env-file|encoding|logging-level|(prompts|resources|sampling|elicitation|roots|reconnect)"
				+ "\\..*|tools\\.(?!rules).*|tools\\.rules\\[\\d+\\]\\.(?!arguments|default-arguments).*|auth\\.type"
				+ "|auth\\.oauth2\\.(registration-id|grant-type|issuer-uri|token-uri|authorization-uri"
				+ "|client-authentication-method|private-key-bundle|signing-algorithm|scopes(\\[\\d+\\])?|resource|clock-skew"
				+ "|client-metadata-uri|dynamic-registration|redirect-uri|listing|interactive|identity-provider"
				+ "|assume-pkce|dpop|dpop-key-bundle)");

	// a default may be a secret, unlike the name of a placeholder
	private static final Pattern PLACEHOLDER = Pattern.compile("(?:(?i:bearer|basic) +)?\\$\\{[^${}:]+\\}");

	private static final Pattern WITH_DEFAULT = Pattern.compile("\\$\\{([^${}:]*):[^{}]*\\}");

	private static final String OPEN = "\u0001";

	private static final String CLOSE = "\u0002";

	private static final Pattern WITH_SPACES = Pattern.compile("://\\S*+\\s[^?]*+\\?");

	private static final Pattern ARG = Pattern.compile("args\\[\\d+\\]");

	private ShownSettings() {
	}

	static List<McpServerSetting> of(ConfigurableEnvironment environment, String server) {
		McpPropertySources sources = new McpPropertySources(environment);
		List<McpServerSetting> settings = new ArrayList<>();
		sources.serverNames().stream().filter((name) -> name.name().equals(server)).findFirst().ifPresent((name) -> {
			PropertyGroup own = sources.server(name);
			Set<String> set = own.settings().keySet().stream().map(ShownSettings::merged).collect(Collectors.toSet());
			add(own, own.settings(), settings);
			PropertyGroup defaults = sources.group("defaults");
			Map<String, Property> others = new LinkedHashMap<>(defaults.settings());
			others.keySet().removeIf((setting) -> set.contains(merged(setting)) && !setting.startsWith("tools.rules["));
			add(defaults, others, settings);
		});
		return List.copyOf(settings);
	}

	// a list is one setting, and the names of headers are case-insensitive
	private static String merged(String setting) {
		return setting.startsWith("headers") ? setting.toLowerCase(Locale.ROOT) : PropertyGroup.withoutItem(setting);
	}

	private static void add(PropertyGroup group, Map<String, Property> properties, List<McpServerSetting> settings) {
		Iterator<String> args = args(properties).iterator();
		properties.forEach((setting, property) -> {
			String value = ARG.matcher(setting).matches() ? args.next() : text(property);
			if (setting.equals("command")) {
				value = Redaction.command(value, List.of());
			}
			else if (setting.equals("args")) {
				value = String.join(",", Redaction.arguments(List.of(value.strip().split("\\s*,\\s*"))));
			}
			settings.add(new McpServerSetting(group.property(setting),
					shown(NO_SECRET.matcher(setting).matches(), value), Redaction.urls(property.origin().toString())));
		});
	}

	private static String text(Property property) {
		return Objects.toString(property.value(), "");
	}

	// the previous argument may indicate that an argument is secret
	private static List<String> args(Map<String, Property> properties) {
		return Redaction.arguments(properties.entrySet()
			.stream()
			.filter((setting) -> ARG.matcher(setting.getKey()).matches())
			.map((setting) -> text(setting.getValue()))
			.toList());
	}

	private static String shown(boolean shown, String value) {
		if (!shown) {
			return (value.isEmpty() || PLACEHOLDER.matcher(value).matches()) ? value : Secrets.MASK;
		}
		String text = value;
		for (String before = ""; !text.equals(before);) {
			before = text;
			text = WITH_DEFAULT.matcher(text).replaceAll(OPEN + "$1" + CLOSE);
		}
		text = Redaction.urls(text);
		// an invalid URL may have its user or query anywhere
		return (text.contains("://") && (text.contains("@") || WITH_SPACES.matcher(text).find())) ? Secrets.MASK
				: text.replace(OPEN, "${").replace(CLOSE, ":" + Secrets.MASK + "}");
	}

}
