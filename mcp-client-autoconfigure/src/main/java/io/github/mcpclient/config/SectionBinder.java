package io.github.mcpclient.config;

import java.util.Collection;
import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * Boot's binder, for one section after the other. What it knows of a record costs it
 * milliseconds for the many settings of a server, since it reads the annotations of all
 * parameters of a constructor anew for each of them; it keeps that, but for itself alone
 * (https://github.com/spring-projects/spring-boot/issues/44861). Not thread-safe.
 */
final class SectionBinder {

	private Collection<ConfigurationPropertySource> sources = List.of();

	private PlaceholdersResolver placeholders = PlaceholdersResolver.NONE;

	// what it keeps by the name of a property is for beans alone, and sections are none
	private final Binder binder = new Binder(() -> this.sources.iterator(),
			(value) -> this.placeholders.resolvePlaceholders(value));

	/**
	 * Returns the binder, which reads these sources until it is returned for others.
	 */
	Binder of(Collection<ConfigurationPropertySource> sources, PlaceholdersResolver placeholders) {
		this.sources = sources;
		this.placeholders = placeholders;
		return this.binder;
	}

}
