package io.github.mcpclient.config.mcpjson;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;

/**
 * Reads how a server is to be authorized by OAuth 2, which each client spells in its own
 * way.
 */
final class OAuthSettings {

	private static final String PREFIX = "auth.oauth2.";

	private static final List<String> OBJECTS = List.of("oauth", "auth");

	private final ServerEntry entry;

	private final ServerNotes notes;

	private final ServerProperties properties;

	OAuthSettings(ServerEntry entry, ServerNotes notes, ServerProperties properties) {
		this.entry = entry;
		this.notes = notes;
		this.properties = properties;
	}

	/**
	 * Add the settings to the properties.
	 */
	void add() {
		for (String name : OBJECTS) {
			JsonValue settings = this.entry.take(name);
			if (settings != null && !isOff(settings)) {
				settings.members().forEach(this::add);
				tell(name, settings);
			}
		}
		JsonValue clientId = this.entry.take("oauthClientId");
		if (clientId != null) {
			this.properties.putText(PREFIX + "client-id", clientId);
			tell("oauthClientId", clientId);
		}
		JsonValue provider = this.entry.take("authProviderType");
		if (provider != null) {
			tell("authProviderType", provider);
		}
	}

	private void add(String name, JsonValue value) {
		switch (name.replace("_", "").toLowerCase(Locale.ROOT)) {
			case "clientid" -> this.properties.putText(PREFIX + "client-id", value);
			case "clientsecret" -> this.properties.putText(PREFIX + "client-secret", value);
			case "scope", "scopes" -> addScopes(value);
			default -> {
				// has no counterpart
			}
		}
	}

	private void addScopes(JsonValue value) {
		List<JsonValue> scopes = value.is(Kind.LIST) ? value.items()
				: Stream.of(value.text().strip().split("\\s+"))
					.filter((scope) -> !scope.isEmpty())
					.map((scope) -> JsonValue.scalar(Kind.TEXT, scope, value.line(), value.column()))
					.toList();
		for (int i = 0; i < scopes.size(); i++) {
			this.properties.putText(PREFIX + "scopes[" + i + "]", scopes.get(i));
		}
	}

	private static boolean isOff(JsonValue settings) {
		JsonValue enabled = settings.get("enabled", Kind.BOOLEAN);
		return settings.text().equals("false") || (enabled != null && enabled.text().equals("false"));
	}

	private void tell(String name, JsonValue value) {
		this.notes.warn(value, "Of no effect, since OAuth is not supported: " + name
				+ ". If the server asks for credentials, set a header.");
	}

}
