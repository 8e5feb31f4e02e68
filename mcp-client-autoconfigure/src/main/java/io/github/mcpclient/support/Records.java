package io.github.mcpclient.support;

import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Settings in records, with {@code null} for what is absent.
 */
public final class Records {

	private Records() {
	}

	/**
	 * Returns settings with defaults where they are absent. Entries of maps are added one
	 * by one.
	 */
	@SuppressWarnings("unchecked")
	public static <R extends Record> R merge(R own, R defaults) {
		RecordComponent[] components = own.getClass().getRecordComponents();
		Object[] values = Stream.of(components)
			.map((component) -> first(value(component, own), value(component, defaults)))
			.toArray();
		return (R) BeanUtils.instantiateClass(own.getClass().getDeclaredConstructors()[0], values);
	}

	/**
	 * Returns an unmodifiable copy, in the same order.
	 */
	public static <T> Map<String, T> copy(Map<String, T> map) {
		return Collections.unmodifiableMap(new LinkedHashMap<>(map));
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
