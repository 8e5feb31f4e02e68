package io.github.mcpclient.config;

import java.util.Collection;
import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * Boot's binder, for one group after the other. What it knows of a record costs it
 * milliseconds for the many settings of a server, since it reads the annotations of all
 * parameters of a constructor anew for each of them; it keeps that, but for itself alone
 * (https://github.com/spring-projects/spring-boot/issues/44861). Not thread-safe.
 */
final class PropertyGroupBinder {

	private Collection<ConfigurationPropertySource> sources = List.of();

	private final Placeholders placeholders;

	private final Binder binder;

	PropertyGroupBinder(Placeholders placeholders) {
		this.placeholders = placeholders;
		// what it keeps by the name of a property is for beans alone, and groups are
		// none
		this.binder = new Binder(() -> this.sources.iterator(), placeholders);
	}

	Placeholders placeholders() {
		return this.placeholders;
	}

	/**
	 * Return the binder, which reads these sources until it is returned for others.
	 */
	Binder of(Collection<ConfigurationPropertySource> sources) {
		this.sources = sources;
		return this.binder;
	}

}
