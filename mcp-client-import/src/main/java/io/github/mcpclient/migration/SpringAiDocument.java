package io.github.mcpclient.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.support.PropertyNames;

import org.springframework.core.env.EnumerablePropertySource;

/**
 * The unresolved properties of a document below {@code spring.ai.mcp.client}, and its
 * condition.
 *
 * @param values the values by the parts of their names that follow the prefix
 * @param condition the properties below {@code spring.config.activate}
 * @param imports whether the document has imports
 */
record SpringAiDocument(String file, Map<List<String>, Object> values, Map<String, Object> condition, boolean imports) {

	static final String PREFIX = "spring.ai.mcp.client";

	private static final int PARTS_OF_PREFIX = 4;

	private static final Pattern PART = Pattern.compile("\\[([^\\]]*)\\]|[^.\\[\\]]+");

	private static final String ACTIVATE = "spring.config.activate.";

	static SpringAiDocument of(String file, EnumerablePropertySource<?> source) {
		Map<List<String>, Object> values = new LinkedHashMap<>();
		Map<String, Object> condition = new LinkedHashMap<>();
		boolean imports = false;
		for (String name : source.getPropertyNames()) {
			Object value = Objects.requireNonNull(source.getProperty(name));
			List<String> parts = PART.matcher(name).results().map(SpringAiDocument::text).toList();
			if (parts.size() > PARTS_OF_PREFIX
					&& String.join(".", parts.subList(0, PARTS_OF_PREFIX)).equalsIgnoreCase(PREFIX)) {
				values.put(parts.subList(PARTS_OF_PREFIX, parts.size()), value);
			}
			else if (name.startsWith(ACTIVATE)) {
				condition.put(name.substring(ACTIVATE.length()), value);
			}
			imports |= name.startsWith("spring.config.import");
		}
		return new SpringAiDocument(file, values, condition, imports);
	}

	/**
	 * Return the full name of a property.
	 */
	static String name(List<String> parts) {
		StringBuilder name = new StringBuilder(PREFIX);
		parts.forEach((part) -> name.append(PropertyNames.suffix(part)));
		return name.toString();
	}

	private static String text(MatchResult part) {
		return (part.group(1) != null) ? part.group(1) : part.group();
	}

}
