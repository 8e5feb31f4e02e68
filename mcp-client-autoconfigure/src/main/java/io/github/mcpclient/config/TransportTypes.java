package io.github.mcpclient.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The transport types that can be configured, with all their spellings.
 */
final class TransportTypes {

	private final Map<String, String> canonical = new LinkedHashMap<>();

	private final @Nullable List<String> allowed;

	/**
	 * Create types of which the application may not use all.
	 * @param types one set for each type, its canonical spelling first
	 * @param allowed the types that it may use, in any spelling, or {@code null} for all
	 */
	TransportTypes(Collection<Set<String>> types, @Nullable List<String> allowed) {
		for (Set<String> spellings : types) {
			for (String spelling : spellings) {
				this.canonical.putIfAbsent(PropertyTarget.uniform(spelling), spellings.iterator().next());
			}
		}
		this.allowed = (allowed != null)
				? allowed.stream().map((type) -> Objects.requireNonNullElse(find(type), type)).toList() : null;
	}

	/**
	 * Checks the types that the application may use.
	 */
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

	/**
	 * Find out why a server must not be of a type.
	 * @param type the type of a server
	 * @return the reason, or {@code null} if it may
	 */
	@Nullable String refusal(ServerType type) {
		return (this.allowed == null || this.allowed.contains(type.name())) ? null
				: "The type is " + type + ", and mcp.transports allows " + String.join(", ", this.allowed) + " only.";
	}

	/**
	 * Return the canonical spelling of a type.
	 * @param type the type, as it is configured
	 * @return the canonical spelling, or {@code null} if there is no such type
	 */
	@Nullable String find(String type) {
		return this.canonical.get(PropertyTarget.uniform(type.strip()));
	}

	/**
	 * Word that there is no such type.
	 * @param type the type, as it is configured
	 * @return a message that suggests the nearest type
	 */
	String unknown(String type) {
		String wanted = PropertyTarget.uniform(type.strip());
		String nearest = null;
		int shortest = (wanted.length() + 2) / 3 + 1;
		for (Map.Entry<String, String> entry : this.canonical.entrySet()) {
			int distance = distance(wanted, entry.getKey());
			if (distance < shortest) {
				shortest = distance;
				nearest = entry.getValue();
			}
		}
		return "There is no such transport type. " + ((nearest != null) ? "Did you mean " + nearest + "? " : "")
				+ "The types are " + String.join(", ", Set.copyOf(this.canonical.values()).stream().sorted().toList())
				+ ".";
	}

	private static int distance(String first, String second) {
		// nothing long is near
		if (Math.abs(first.length() - second.length()) > second.length()) {
			return Integer.MAX_VALUE;
		}
		int[] row = new int[second.length() + 1];
		for (int j = 0; j <= second.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= first.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= second.length(); j++) {
				int substitution = diagonal + ((first.charAt(i - 1) == second.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[second.length()];
	}

}
