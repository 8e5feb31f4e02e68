package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;

/**
 * Collects mistakes: the first one of each property, since the others follow from it.
 */
final class Problems {

	private final Map<String, Problem> problems = new LinkedHashMap<>();

	void add(Problem problem) {
		this.problems.putIfAbsent(problem.property(), problem);
	}

	void addAll(Problems problems) {
		problems.problems.values().forEach(this::add);
	}

	boolean isEmpty() {
		return this.problems.isEmpty();
	}

	List<Problem> asList() {
		return List.copyOf(this.problems.values());
	}

}
