package io.github.mcpclient.internal.session;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.UTF8JsonGenerator;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * A JSON object that many messages share, encoded once. To all code other than the writer
 * of messages it is an unmodifiable map, so that any transport can send it. Immutable,
 * and safe for use by many threads, if its values are.
 */
final class PreparedObject extends AbstractMap<String, Object> implements JacksonSerializable {

	private final Map<String, Object> members;

	private final SerializedString json;

	/**
	 * Prepare an object.
	 * @param members its members, of JSON's own types, which are not changed afterwards
	 */
	PreparedObject(Map<String, Object> members) {
		this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
		this.json = new SerializedString(Json.encode(this.members));
	}

	@Override
	public Set<Entry<String, Object>> entrySet() {
		return this.members.entrySet();
	}

	@Override
	public void serialize(JsonGenerator generator, SerializationContext context) {
		if (generator instanceof UTF8JsonGenerator) {
			generator.writeRawValue(this.json);
		}
		else {
			// such as that of a tree, to which text would be a value
			context.writeValue(generator, this.members);
		}
	}

	@Override
	public void serializeWithType(JsonGenerator generator, SerializationContext context, TypeSerializer type) {
		serialize(generator, context);
	}

}
