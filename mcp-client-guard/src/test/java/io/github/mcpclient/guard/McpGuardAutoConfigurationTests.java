package io.github.mcpclient.guard;

import io.github.mcpclient.spi.McpToolPinStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpGuardAutoConfiguration}.
 */
class McpGuardAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(McpGuardAutoConfiguration.class));

	@Test
	void aGuardIsThatOfTheClientOfItsContext() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.run((context) -> assertThat(context.getBean(McpGuard.class)).isNotSameAs(parent.getBean(McpGuard.class))));
	}

	@Test
	void theStoreOfAParentIsUsed() {
		ApplicationContextRunner pinned = this.runner.withPropertyValues("mcp.tools.pins=file:mcp-tools.lock");
		pinned.run((parent) -> pinned.withParent(parent)
			.run((context) -> assertThat(context.getBean(McpToolPinStore.class))
				.isSameAs(parent.getBean(McpToolPinStore.class))));
	}

}
