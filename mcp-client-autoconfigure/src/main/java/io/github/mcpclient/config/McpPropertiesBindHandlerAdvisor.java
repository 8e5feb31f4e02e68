package io.github.mcpclient.config;

import java.util.Map;

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

	private static final ConfigurationPropertyName SELECTIONS = ConfigurationPropertyName.of("mcp.selections");

	@Override
	public BindHandler apply(BindHandler handler) {
		return new AbstractBindHandler(handler) {

			@Override
			public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
					BindContext context) {
				// nothing is bound without a target
				return (isOurs(target) || name.equals(SELECTIONS)) ? null : super.onStart(name, target, context);
			}

		};
	}

	private static boolean isOurs(Bindable<?> target) {
		Class<?> type = target.getType().resolve(Object.class);
		if (Map.class.isAssignableFrom(type)) {
			return target.getType().asMap().getGeneric(1).resolve() == McpServerProperties.class;
		}
		return type == McpServerSettings.class || type == McpStartupProperties.class || type == McpToolsProperties.class
				|| type == McpImportProperties.class;
	}

}
