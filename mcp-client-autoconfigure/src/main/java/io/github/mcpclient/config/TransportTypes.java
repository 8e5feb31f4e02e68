package io.github.mcpclient.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import io.github.mcpclient.support.NearestNames;
import org.jspecify.annotations.Nullable;

/**
 * The transport types that can be configured, with all their spellings.
 */
final class TransportTypes {

	private final Map<String, String> canonical = new LinkedHashMap<>();

	private final @Nullable List<String> allowed;

	TransportTypes(Collection<Set<String>> types, @Nullable List<String> allowed) {
		for (Set<String> spellings : types) {
			for (String spelling : spellings) {
				this.canonical.putIfAbsent(PropertyTarget.uniform(spelling), spellings.iterator().next());
			}
		}
		this.allowed = (allowed != null)
				? allowed.stream().map((type) -> Objects.requireNonNullElse(find(type), type)).toList() : null;
	}

	void check(@Nullable List<String> allowed, Consumer<String> reject) {
		if (allowed != null && allowed.isEmpty()) {
			reject.accept("There is no type. Remove the property to allow all, or set mcp.enabled to false.");
		}
		for (String type : (allowed != null) ? allowed : List.<String>of()) {
			if (find(type) == null) {
				reject.accept(unknown(type));
			}
		}
	}

	@Nullable String refusal(ServerType type) {
		return (this.allowed == null || this.allowed.contains(type.name())) ? null
				: "The type is " + type + ", and mcp.transports allows " + String.join(", ", this.allowed) + " only.";
	}

	@Nullable String find(String type) {
		return this.canonical.get(PropertyTarget.uniform(type.strip()));
	}

	String unknown(String type) {
		List<String> nearest = NearestNames.of(PropertyTarget.uniform(type.strip()), this.canonical.keySet());
		String suggestion = nearest.isEmpty() ? "" : "Did you mean " + this.canonical.get(nearest.get(0)) + "? ";
		return "There is no such transport type. " + suggestion + "The types are "
				+ String.join(", ", new TreeSet<>(this.canonical.values())) + ".";
	}

}
