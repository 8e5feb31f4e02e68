package io.github.mcpclient.internal.naming;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.internal.support.NearestNames;

/**
 * Finds the tools that an unknown name may refer to. If there are many tools, it compares
 * only their neighbors in alphabetical order, and tools whose original name is the end of
 * the name. Immutable.
 */
final class KnownNames {

	// the same number as similar names
	private static final int MAX_NAMESAKES = 3;

	private static final int FEW = 300;

	private static final int NEIGHBORS = 12;

	private static final int LONGEST_END = 64;

	private final NavigableMap<String, McpTool> tools;

	private final NavigableMap<String, List<String>> byOriginalName = new TreeMap<>();

	KnownNames(NavigableMap<String, McpTool> tools) {
		this.tools = tools;
		tools.forEach((name, tool) -> {
			List<String> same = this.byOriginalName.computeIfAbsent(tool.originalName(), (key) -> new ArrayList<>(1));
			if (same.size() < MAX_NAMESAKES) {
				same.add(name);
			}
		});
	}

	/**
	 * Return similar names, the nearest first.
	 */
	List<String> nearest(String name) {
		List<String> same = namesakes(List.of(name));
		List<String> near = same.isEmpty() ? NearestNames.of(name, candidates(name)) : same;
		return near.isEmpty() ? namesakes(NearestNames.of(name, beside(name, this.byOriginalName))) : near;
	}

	private List<String> namesakes(List<String> originalNames) {
		return originalNames.stream()
			.flatMap((name) -> this.byOriginalName.getOrDefault(name, List.of()).stream())
			.limit(MAX_NAMESAKES)
			.toList();
	}

	private Set<String> candidates(String name) {
		Set<String> candidates = new LinkedHashSet<>(beside(name, this.tools));
		beside(name, this.byOriginalName).forEach((end) -> candidates.addAll(this.byOriginalName.get(end)));
		// the name may come from a model, and have any length
		int from = name.length() - LONGEST_END;
		for (int end = name.indexOf('_', from); end != -1; end = name.indexOf('_', end + 1)) {
			candidates.addAll(this.byOriginalName.getOrDefault(name.substring(end + 1), List.of()));
		}
		return candidates;
	}

	private Collection<String> beside(String name, NavigableMap<String, ?> names) {
		if (names.size() <= FEW) {
			return names.keySet();
		}
		return Stream
			.concat(names.headMap(name, false).descendingKeySet().stream().limit(NEIGHBORS),
					names.tailMap(name, true).keySet().stream().limit(NEIGHBORS))
			.toList();
	}

}
