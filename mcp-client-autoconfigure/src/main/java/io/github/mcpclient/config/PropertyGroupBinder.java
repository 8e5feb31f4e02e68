package io.github.mcpclient.config;

import java.util.Collection;
import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * Spring Boot's binder, which is reused for all groups. A new binder takes milliseconds
 * for the many settings of a server, since it reads the annotations of all parameters of
 * a constructor for each of them; each binder caches them separately
 * (https://github.com/spring-projects/spring-boot/issues/44861). Not thread-safe.
 */
final class PropertyGroupBinder {

	private Collection<ConfigurationPropertySource> sources = List.of();

	private final Placeholders placeholders;

	private final Binder binder;

	PropertyGroupBinder(Placeholders placeholders) {
		this.placeholders = placeholders;
		// its cache by property name applies only to beans, and groups are not beans
		this.binder = new Binder(() -> this.sources.iterator(), placeholders);
	}

	Placeholders placeholders() {
		return this.placeholders;
	}

	/**
	 * Return the binder, which reads these sources until the next call.
	 */
	Binder of(Collection<ConfigurationPropertySource> sources) {
		this.sources = sources;
		return this.binder;
	}

}
