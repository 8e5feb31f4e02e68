package io.github.mcpclient.config;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Keeps Boot from binding what {@link McpServersConfig} has read already, so that a
 * {@code @ConfigurationProperties} bean can show just that.
 */
public final class McpPropertiesBindHandlerAdvisor implements ConfigurationPropertiesBindHandlerAdvisor {

	@Override
	public BindHandler apply(BindHandler handler) {
		return new AbstractBindHandler(handler) {

			@Override
			public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
					BindContext context) {
				// nothing is bound without a target
				return (target.getType().resolve() == McpProperties.class) ? null
						: super.onStart(name, target, context);
			}

		};
	}

}
