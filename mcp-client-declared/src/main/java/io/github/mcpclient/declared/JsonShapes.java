package io.github.mcpclient.declared;

import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpToolRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonAnyFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatTypes;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonMapFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.type.LogicalType;

/**
 * Determines the JSON that a mapper writes for values of a type, and reads as such
 * values, with its modules and the annotations of the type. If the JSON is not certain,
 * any is possible.
 */
record JsonShapes(JsonMapper mapper) {

	// of objects within objects
	private static final int DEEPEST = 8;

	// of what a value has
	private static final int MOST_VALUES = 2000;

	// as one of the others they are written: in Base64, or as one text
	private static final Set<Class<?>> TEXTS = Set.of(byte[].class, char[].class);

	/**
	 * Return what values of a type are written as.
	 */
	JsonShape written(Type type) {
		JavaType written = this.mapper.constructType(type);
		Shaping shaping = new Shaping(new Walk());
		return shaping.shape(written, () -> this.mapper.acceptJsonFormatVisitor(written, shaping));
	}

	/**
	 * Return what values of a type can be read from. Of objects and arrays, this tells
	 * nothing of their members and items.
	 */
	JsonShape read(Type type) {
		JavaType read = this.mapper.constructType(type);
		if (TEXTS.contains(read.getRawClass())) {
			return JsonShape.ANY;
		}
		DeserializationContext context = this.mapper._deserializationContext();
		ValueDeserializer<?> deserializer = context.findRootValueDeserializer(read);
		LogicalType logical = deserializer.logicalType();
		if (logical == LogicalType.Collection || logical == LogicalType.Array) {
			return JsonShape.of(JsonShape.ARRAY);
		}
		if (logical == LogicalType.Map || (logical == LogicalType.POJO
				&& deserializer instanceof BeanDeserializerBase bean && isObject(bean.getValueInstantiator()))) {
			return JsonShape.of(JsonShape.OBJECT);
		}
		return JsonShape.ANY;
	}

	// and not something else, of which a constructor or a factory makes it
	private static boolean isObject(ValueInstantiator instantiator) {
		return !(instantiator.canCreateUsingDelegate() || instantiator.canCreateUsingArrayDelegate()
				|| instantiator.canCreateFromString() || instantiator.canCreateFromInt()
				|| instantiator.canCreateFromLong() || instantiator.canCreateFromDouble()
				|| instantiator.canCreateFromBoolean());
	}

	/**
	 * The way through the types of what a value has, which is bounded: types may have
	 * each other.
	 */
	private static final class Walk {

		private final Deque<JavaType> path = new ArrayDeque<>();

		private int values;

		private boolean enter(JavaType type) {
			if (++this.values > MOST_VALUES || this.path.size() > DEEPEST || this.path.contains(type)) {
				return false;
			}
			this.path.push(type);
			return true;
		}

		private void leave() {
			this.path.pop();
		}

	}

	/**
	 * Is told the shape of one value.
	 */
	private static final class Shaping extends JsonFormatVisitorWrapper.Base {

		private final Walk walk;

		private JsonShape shape = JsonShape.ANY;

		private @Nullable Members members;

		private Shaping(Walk walk) {
			this.walk = walk;
		}

		private JsonShape shape(JavaType type, Runnable visit) {
			if (isOpen(type) || !this.walk.enter(type)) {
				return JsonShape.ANY;
			}
			try {
				visit.run();
				return (this.members != null) ? JsonShape.object(this.members.all) : this.shape;
			}
			finally {
				this.walk.leave();
			}
		}

		// a value may be of another type, or is written as something that is not told
		private static boolean isOpen(JavaType type) {
			Class<?> raw = type.getRawClass();
			return raw == Object.class || TEXTS.contains(raw) || McpToolRequest.class.isAssignableFrom(raw)
					|| (type.isAbstract() && !type.isPrimitive() && !type.isContainerType() && !type.isReferenceType()
							&& raw != Number.class && raw != CharSequence.class && !raw.isEnum());
		}

		private JsonShape nested(JavaType type, JsonFormatVisitable value, SerializationContext context) {
			Shaping nested = new Shaping(this.walk);
			nested.setContext(context);
			return nested.shape(type, () -> value.acceptJsonFormatVisitor(nested, type));
		}

		@Override
		public @Nullable JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
			SerializationContext context = getContext();
			this.shape = JsonShape.of(JsonShape.OBJECT);
			// it has members in addition to the members of its class
			if (context.findTypeSerializer(type) != null
					|| context.introspectBeanDescription(type).findAnyGetter() != null) {
				return null;
			}
			this.members = new Members(context, this);
			return this.members;
		}

		@Override
		public JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
			this.shape = JsonShape.of(JsonShape.ARRAY);
			return new JsonArrayFormatVisitor.Base(getContext()) {

				@Override
				public void itemsFormat(JsonFormatVisitable items, JavaType itemType) {
					Shaping.this.shape = JsonShape.array(nested(itemType, items, getContext()));
				}

				@Override
				public void itemsFormat(JsonFormatTypes items) {
					Shaping.this.shape = JsonShape
						.array(JsonShape.TYPES.contains(items.value()) ? JsonShape.of(items.value()) : JsonShape.ANY);
				}

			};
		}

		@Override
		public @Nullable JsonMapFormatVisitor expectMapFormat(JavaType type) {
			this.shape = JsonShape.of(JsonShape.OBJECT);
			return null;
		}

		@Override
		public @Nullable JsonStringFormatVisitor expectStringFormat(JavaType type) {
			this.shape = JsonShape.of("string");
			return null;
		}

		@Override
		public @Nullable JsonNumberFormatVisitor expectNumberFormat(JavaType type) {
			this.shape = JsonShape.of(JsonShape.NUMBER);
			return null;
		}

		@Override
		public @Nullable JsonIntegerFormatVisitor expectIntegerFormat(JavaType type) {
			this.shape = JsonShape.of(JsonShape.INTEGER);
			return null;
		}

		@Override
		public @Nullable JsonBooleanFormatVisitor expectBooleanFormat(JavaType type) {
			this.shape = JsonShape.of("boolean");
			return null;
		}

		@Override
		public @Nullable JsonAnyFormatVisitor expectAnyFormat(JavaType type) {
			return null;
		}

	}

	/**
	 * Is told the members of an object.
	 */
	private static final class Members extends JsonObjectFormatVisitor.Base {

		private final Shaping object;

		private final Map<String, JsonShape> all = new LinkedHashMap<>();

		private Members(SerializationContext context, Shaping object) {
			super(context);
			this.object = object;
		}

		@Override
		public void property(BeanProperty member) {
			SerializationContext context = getContext();
			ValueSerializer<?> value = (member instanceof BeanPropertyWriter writer) ? writer.getSerializer() : null;
			if (value == null) {
				value = context.findPrimaryPropertySerializer(member.getType(), member);
			}
			this.all.put(member.getName(), this.object.nested(member.getType(), value, context));
		}

		@Override
		public void property(String name, JsonFormatVisitable value, JavaType type) {
			this.all.put(name, JsonShape.ANY);
		}

		@Override
		public void optionalProperty(BeanProperty member) {
			property(member);
		}

		@Override
		public void optionalProperty(String name, JsonFormatVisitable value, JavaType type) {
			property(name, value, type);
		}

	}

}
