package io.github.mcpclient.internal.support;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Settings in records, with {@code null} for absent values; and copies of these and of
 * the content that servers send.
 */
public final class Records {

	private Records() {
	}

	/**
	 * Return settings with defaults for absent values. Entries of maps are added one by
	 * one.
	 * @param own settings of the same names as the defaults, in the same order
	 */
	@SuppressWarnings("unchecked")
	public static <R extends Record> R merge(Record own, R defaults) {
		RecordComponent[] components = own.getClass().getRecordComponents();
		RecordComponent[] others = defaults.getClass().getRecordComponents();
		Object[] values = IntStream.range(0, others.length).mapToObj((i) -> {
			Assert.state(components[i].getName().equals(others[i].getName()), "These are other settings");
			return first(value(components[i], own), value(others[i], defaults));
		}).toArray();
		return (R) BeanUtils.instantiateClass(defaults.getClass().getDeclaredConstructors()[0], values);
	}

	/**
	 * Return settings from texts by their names, such as {@code client.max-delay}.
	 * @throws IllegalArgumentException if there is no such setting, or a value is not
	 * valid for it; the message has no values, which may be secret
	 */
	public static <R extends Record> R of(Class<R> type, Map<String, String> settings) {
		Map<String, String> rest = new LinkedHashMap<>();
		settings.forEach((name, value) -> rest.put(uniform(name), value));
		R record = of(type, "", rest);
		Assert.isTrue(rest.isEmpty(), () -> "There are no such settings: "
				+ settings.keySet().stream().filter((name) -> rest.containsKey(uniform(name))).toList());
		return record;
	}

	// dots are significant
	private static String uniform(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
	}

	@SuppressWarnings("unchecked")
	private static <R> R of(Class<R> type, String path, Map<String, String> rest) {
		@Nullable Object[] values = Stream.of(type.getRecordComponents()).map((component) -> {
			String name = PropertyNames.below(path, uniform(component.getName()));
			if (!component.getType().isRecord()) {
				String text = rest.remove(name);
				return (text != null) ? value(name, component.getType(), text) : null;
			}
			boolean given = rest.keySet().stream().anyMatch((other) -> other.startsWith(name + "."));
			return given ? of(component.getType(), name, rest) : null;
		}).toArray();
		return (R) BeanUtils.instantiateClass(type.getDeclaredConstructors()[0], values);
	}

	private static @Nullable Object value(String name, Class<?> type, String text) {
		try {
			return (type == Duration.class) ? DurationFormatterUtils.detectAndParse(text.strip())
					: DefaultConversionService.getSharedInstance()
						.convert(type.isEnum() ? text.strip().toUpperCase(Locale.ROOT).replace('-', '_') : text, type);
		}
		catch (RuntimeException ex) {
			// not as the cause, whose message contains the value
			throw new IllegalArgumentException("The value of " + name + " is not valid");
		}
	}

	/**
	 * Return an unmodifiable copy, in the same order.
	 */
	public static <T> Map<String, T> copy(Map<String, T> map) {
		return map.isEmpty() ? Collections.emptyMap() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
	}

	/**
	 * Return an unmodifiable deep copy of maps, lists and records of the content that a
	 * server sent; any other value unchanged.
	 */
	@SuppressWarnings("unchecked")
	public static <T extends @Nullable Object> T deepCopy(T value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
			copy.replaceAll((name, member) -> deepCopy(member));
			return (T) Collections.unmodifiableMap(copy);
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> copy = new ArrayList<>(list);
			copy.replaceAll(Records::deepCopy);
			return (T) Collections.unmodifiableList(copy);
		}
		return (value instanceof Record record && McpSchema.class.equals(record.getClass().getEnclosingClass()))
				? (T) ofCopies(record) : value;
	}

	private static Record ofCopies(Record record) {
		RecordComponent[] components = record.getClass().getRecordComponents();
		@Nullable Object[] values = Stream.of(components).map((component) -> value(component, record)).toArray();
		@Nullable Object[] copies = Stream.of(values).map(Records::deepCopy).toArray();
		if (IntStream.range(0, values.length).allMatch((i) -> values[i] == copies[i])) {
			return record;
		}
		Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		return BeanUtils.instantiateClass(
				Objects.requireNonNull(ClassUtils.getConstructorIfAvailable(record.getClass(), types)), copies);
	}

	private static @Nullable Object first(@Nullable Object own, @Nullable Object defaults) {
		if (own instanceof Record ownRecord && defaults instanceof Record defaultRecord) {
			return merge(ownRecord, defaultRecord);
		}
		if (own instanceof Map<?, ?> ownMap && defaults instanceof Map<?, ?> defaultMap) {
			Map<Object, Object> map = new LinkedHashMap<>(defaultMap);
			map.putAll(ownMap);
			return map;
		}
		return (own != null) ? own : defaults;
	}

	private static @Nullable Object value(RecordComponent component, Record settings) {
		return ReflectionUtils.invokeMethod(component.getAccessor(), settings);
	}

}
