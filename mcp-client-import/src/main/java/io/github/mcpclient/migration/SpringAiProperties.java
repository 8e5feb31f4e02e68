package io.github.mcpclient.migration;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.support.PropertyNames;

import org.springframework.core.env.EnumerablePropertySource;

/**
 * What a document of a file has below {@code spring.ai.mcp.client}, as it is written
 * there, and its condition.
 *
 * @param values the values by the parts of their names that follow the prefix
 * @param condition what is below {@code spring.config.activate}
 * @param imports whether the document has imports
 */
record SpringAiProperties(String file, Map<List<String>, Object> values, Map<String, Object> condition,
		boolean imports) {

	static final String PREFIX = "spring.ai.mcp.client";

	private static final Pattern PART = Pattern.compile("\\[([^\\]]*)\\]|[^.\\[\\]]+");

	private static final String UNIFORM_PREFIX = PropertyNames.uniform(PREFIX);

	private static final int PARTS_OF_PREFIX = 4;

	private static final String ACTIVATE = "spring.config.activate.";

	static SpringAiProperties of(String file, EnumerablePropertySource<?> source) {
		Map<List<String>, Object> values = new LinkedHashMap<>();
		Map<String, Object> condition = new LinkedHashMap<>();
		boolean imports = false;
		for (String name : source.getPropertyNames()) {
			Object value = Objects.requireNonNull(source.getProperty(name));
			List<String> parts = PART.matcher(name).results().map(SpringAiProperties::text).toList();
			if (parts.size() > PARTS_OF_PREFIX
					&& PropertyNames.uniform(String.join("", parts.subList(0, PARTS_OF_PREFIX)))
						.equals(UNIFORM_PREFIX)) {
				values.put(parts.subList(PARTS_OF_PREFIX, parts.size()), value);
			}
			else if (name.startsWith(ACTIVATE)) {
				condition.put(name.substring(ACTIVATE.length()), value);
			}
			imports |= name.startsWith("spring.config.import");
		}
		return new SpringAiProperties(file, values, condition, imports);
	}

	/**
	 * Return what says where each server is, from the first document that has it: a
	 * profile may set the url alone, to which the path of another document belongs.
	 */
	static Map<String, String> targets(List<SpringAiProperties> documents) {
		Map<String, String> targets = new HashMap<>();
		documents.forEach((document) -> document.values.forEach((name, value) -> {
			if (name.size() == 4) {
				targets.putIfAbsent(key(name.get(0), name.get(2), name.get(3)), value.toString());
			}
		}));
		return targets;
	}

	static String key(String transport, String server, String setting) {
		return PropertyNames.uniform(transport) + "/" + PropertyNames.uniform(server) + "/"
				+ PropertyNames.uniform(setting);
	}

	private static String text(MatchResult part) {
		return (part.group(1) != null) ? part.group(1) : part.group();
	}

}
