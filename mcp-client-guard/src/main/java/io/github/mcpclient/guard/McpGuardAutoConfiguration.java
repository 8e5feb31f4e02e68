package io.github.mcpclient.guard;

import io.github.mcpclient.spi.McpToolPinStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the guard for tools of MCP
 * servers.
 */
@AutoConfiguration(beforeName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
public final class McpGuardAutoConfiguration {

	private static final String PIN_FIRST_LISTING = "mcp.tools.pin-first-listing";

	// the guard of a parent context is for a client there
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	McpGuard mcpGuard(Environment environment) {
		return new McpGuard(environment.getProperty(PIN_FIRST_LISTING, Boolean.class, false));
	}

	@Bean
	@ConditionalOnMissingBean(McpToolPinStore.class)
	@ConditionalOnProperty("mcp.tools.pins")
	PinFile mcpToolPinFile(Environment environment, ResourceLoader loader) {
		String location = environment.getRequiredProperty("mcp.tools.pins").strip();
		return new PinFile(loader.getResource(location),
				!environment.getProperty(PIN_FIRST_LISTING, Boolean.class, false));
	}

}
