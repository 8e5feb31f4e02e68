package io.github.mcpclient.config;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.PropertySource;

/**
 * A property as it stands in its source, before placeholders are resolved.
 *
 * @param source the source
 * @param name the name in the source
 * @param path the name in parts, without those that lead to the settings it is one of
 */
record RawProperty(PropertySource<?> source, String name, PropertyPath path) {

	@Nullable Object value() {
		return this.source.getProperty(this.name);
	}

	Origin origin() {
		return PropertySourceOrigin.get(this.source, this.name);
	}

	/**
	 * Return this property as one of the settings below a part of its path.
	 * @param uniform the part, in its uniform form
	 * @return the property, or {@code null} if it is not one of those
	 */
	@Nullable RawProperty after(String uniform) {
		PropertyPath rest = this.path.after(uniform);
		return (rest != null) ? new RawProperty(this.source, this.name, rest) : null;
	}

}
