package io.github.mcpclient.config;

import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.core.env.PropertySource;
import org.springframework.util.PropertyPlaceholderHelper;
import org.springframework.util.SystemPropertyUtils;

/**
 * Resolves placeholders, and fails where Boot would leave one as it is: a literal
 * {@code ${TOKEN}} sent to a server ends in a distant and puzzling 401.
 */
final class Placeholders extends PropertySourcesPlaceholdersResolver {

	Placeholders(Iterable<PropertySource<?>> sources) {
		super(sources,
				new PropertyPlaceholderHelper(SystemPropertyUtils.PLACEHOLDER_PREFIX,
						SystemPropertyUtils.PLACEHOLDER_SUFFIX, SystemPropertyUtils.VALUE_SEPARATOR,
						SystemPropertyUtils.ESCAPE_CHARACTER, false));
	}

}
