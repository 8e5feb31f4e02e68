package io.github.mcpclient.config.mcpjson;

import java.util.Map;
import java.util.function.Predicate;

import io.github.mcpclient.config.UnusableValue;
import io.github.mcpclient.config.mcpjson.Variables.Translation;

import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.core.io.Resource;

/**
 * The properties of one server, as they are made from its entry in a file.
 */
final class ServerProperties {

	private final Map<String, Object> properties;

	private final Resource file;

	private final String prefix;

	private final Variables variables;

	private final Predicate<String> isSet;

	private final ServerNotes notes;

	private boolean empty = true;

	private boolean off;

	ServerProperties(Map<String, Object> properties, Resource file, String name, Variables variables,
			Predicate<String> isSet, ServerNotes notes) {
		this.properties = properties;
		this.file = file;
		this.prefix = "mcp.servers[" + name + "]";
		this.variables = variables;
		this.isSet = isSet;
		this.notes = notes;
	}

	/**
	 * Add the server even if it has no property.
	 */
	void declare(JsonValue at) {
		if (this.empty) {
			add(this.prefix, at, "");
		}
	}

	/**
	 * Switch the server off. What its values have is of no interest then.
	 */
	void switchOff(JsonValue at) {
		this.off = true;
		put("enabled", at, "false");
	}

	void put(String setting, JsonValue at, String value) {
		add(this.prefix + "." + setting, at, value);
	}

	void reject(String setting, JsonValue at, String message) {
		add(this.prefix + "." + setting, at, new UnusableValue(message));
	}

	void putText(String setting, JsonValue value) {
		putText(setting, value, "");
	}

	void putText(String setting, JsonValue value, String before) {
		if (!value.hasText()) {
			reject(setting, value, "This is not a text.");
			return;
		}
		Translation translation = this.variables.translate(value.text());
		if (translation.mistake() != null) {
			reject(setting, value, translation.mistake());
			return;
		}
		if (!this.off) {
			tell(setting, value, translation);
		}
		add(this.prefix + "." + setting, value, new PlaceholderText().literal(before) + translation.text());
	}

	private void tell(String setting, JsonValue value, Translation translation) {
		if (translation.unknown()) {
			this.notes.warn(value,
					setting + " has a ${...} of a kind that is not known. It is passed on as it stands.");
		}
		if (value.text().matches("\\$[A-Za-z_][A-Za-z0-9_]*") && translation.text().equals(value.text())) {
			this.notes.warn(value, setting + " looks like a variable, but is passed on as it stands: a variable is "
					+ "written ${NAME} in this file.");
		}
		for (String name : translation.emptyIfUnset()) {
			if (!this.isSet.test(name)) {
				this.notes.warn(value, setting + " uses {env:" + name + "}, which is not set and counts as empty.");
			}
		}
	}

	private void add(String property, JsonValue at, Object value) {
		this.empty = false;
		this.properties.put(property, OriginTrackedValue.of(value,
				new TextResourceOrigin(this.file, new Location(at.line() - 1, at.column() - 1))));
	}

}
