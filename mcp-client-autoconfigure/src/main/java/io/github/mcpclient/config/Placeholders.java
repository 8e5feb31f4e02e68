package io.github.mcpclient.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.config.ImportedProperties.UnusableValue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.PropertySource;
import org.springframework.util.PlaceholderResolutionException;
import org.springframework.util.PropertyPlaceholderHelper;
import org.springframework.util.SystemPropertyUtils;

/**
 * Resolves placeholders, and fails if a placeholder cannot be resolved. Spring Boot would
 * retain it, and a literal {@code ${TOKEN}} that is sent to a server results in a
 * misleading 401 response. Not thread-safe.
 */
final class Placeholders extends PropertySourcesPlaceholdersResolver {

	private static final String INPUTS = "mcp.inputs.";

	// more than any value needs: nested placeholders multiply the work
	private static final int MOST_LOOKUPS = 1000;

	private static final String TOO_MANY = "The value has more than " + MOST_LOOKUPS
			+ " placeholders, including nested ones.";

	// a default without a name is a literal
	private static final Pattern START = Pattern.compile("\\$\\{(?!:)");

	private static final Pattern NAME = Pattern.compile("\\$\\{([^${}:]+)");

	private int lookups;

	private final Set<String> inputs = new LinkedHashSet<>();

	private final Set<String> inputValues = new LinkedHashSet<>();

	Placeholders(Iterable<PropertySource<?>> sources) {
		super(sources,
				new PropertyPlaceholderHelper(SystemPropertyUtils.PLACEHOLDER_PREFIX,
						SystemPropertyUtils.PLACEHOLDER_SUFFIX, SystemPropertyUtils.VALUE_SEPARATOR,
						SystemPropertyUtils.ESCAPE_CHARACTER, false));
	}

	@Override
	public @Nullable Object resolvePlaceholders(@Nullable Object value) {
		if (value instanceof UnusableValue unusable) {
			throw new UnresolvedException(null, unusable.message());
		}
		this.lookups = 0;
		this.inputs.clear();
		if (value instanceof String text && START.matcher(text).results().count() > MOST_LOOKUPS) {
			throw new UnresolvedException(null, TOO_MANY);
		}
		try {
			Object resolved = super.resolvePlaceholders(value);
			for (String input : List.copyOf(this.inputs)) {
				this.inputValues.add(String.valueOf(super.resolvePlaceholders("${" + input + "}")));
			}
			return resolved;
		}
		catch (PlaceholderResolutionException ex) {
			String text = String.valueOf(value);
			String placeholder = ex.getPlaceholder();
			if (text.contains("${" + placeholder)) {
				throw new UnresolvedException(placeholder, "");
			}
			// the value of a placeholder may be a secret
			throw new UnresolvedException(null, "The value of "
					+ NAME.matcher(text).results().map((result) -> result.group(1)).collect(Collectors.joining(" or "))
					+ " has a placeholder that cannot be resolved.");
		}
	}

	@Override
	protected @Nullable String resolvePlaceholder(String placeholder) {
		if (placeholder.isEmpty() || placeholder.startsWith(":")) {
			// a default only, which is a literal
			return null;
		}
		if (++this.lookups > MOST_LOOKUPS) {
			throw new UnresolvedException(null, TOO_MANY);
		}
		String value = super.resolvePlaceholder(placeholder);
		if (value != null && placeholder.startsWith(INPUTS)) {
			this.inputs.add(placeholder);
		}
		return value;
	}

	/**
	 * Return the values of inputs of imported files since the last call.
	 */
	Set<String> takeInputs() {
		Set<String> taken = Set.copyOf(this.inputValues);
		this.inputValues.clear();
		return taken;
	}

	static final class UnresolvedException extends RuntimeException {

		private final @Nullable String placeholder;

		private final String reason;

		UnresolvedException(@Nullable String placeholder, String reason) {
			super(reason);
			this.placeholder = placeholder;
			this.reason = reason;
		}

		String message(@Nullable Origin origin) {
			if (this.placeholder == null) {
				return this.reason;
			}
			boolean imported = origin instanceof PropertySourceOrigin source
					&& ImportedProperties.isFrom(source.getPropertySource());
			if (imported && this.placeholder.startsWith(INPUTS)) {
				return "The file requires a value for this input. Set " + this.placeholder
						+ ", for example with the environment variable "
						+ this.placeholder.toUpperCase(Locale.ROOT).replace("-", "").replace('.', '_') + ".";
			}
			return "Cannot resolve the placeholder ${" + this.placeholder + "}. Set " + this.placeholder
					+ ", for example as an environment variable, or add a default: ${" + this.placeholder
					+ (imported ? ":-" : ":") + "...}.";
		}

	}

}
