package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts properties together again that are one tree of objects, lists and values in the
 * file that they come from.
 */
final class ConfigTree {

	private final Map<String, Object> root = new LinkedHashMap<>();

	/**
	 * Add a value, which replaces what is at its place.
	 * @param path the names that lead to the value
	 * @param value the value
	 */
	void put(List<String> path, Object value) {
		Map<String, Object> node = this.root;
		for (String name : path.subList(0, path.size() - 1)) {
			node = child(node, name);
		}
		// a file has an empty object as an empty text
		boolean emptyObject = path.size() == 1 && "".equals(value);
		node.put(path.get(path.size() - 1), emptyObject ? new LinkedHashMap<>() : value);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> child(Map<String, Object> node, String name) {
		Object child = node.get(name);
		if (!(child instanceof Map)) {
			child = new LinkedHashMap<String, Object>();
			node.put(name, child);
		}
		return (Map<String, Object>) child;
	}

	/**
	 * Return the tree.
	 * @return the values by name, with lists where the names are the numbers from 0
	 */
	Map<String, Object> toMap() {
		Map<String, Object> map = new LinkedHashMap<>();
		this.root.forEach((name, value) -> map.put(name, withLists(value)));
		return map;
	}

	private static Object withLists(Object value) {
		if (!(value instanceof Map<?, ?> node)) {
			return value;
		}
		Map<String, Object> map = new LinkedHashMap<>();
		node.forEach((name, child) -> map.put(String.valueOf(name), withLists(child)));
		List<Object> items = new ArrayList<>();
		for (int i = 0; i < map.size(); i++) {
			Object item = map.get(Integer.toString(i));
			if (item == null) {
				return map;
			}
			items.add(item);
		}
		return items.isEmpty() ? map : items;
	}

}
