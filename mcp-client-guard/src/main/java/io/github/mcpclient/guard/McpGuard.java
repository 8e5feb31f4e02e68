package io.github.mcpclient.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.spi.McpToolPins;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.core.annotation.Order;
import org.springframework.util.Assert;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies {@code tools.pinning} and {@code tools.rules} of servers: excludes tools whose
 * definitions are not approved, shows tools as defined by rules, and approves, limits and
 * caches their calls. It uses the {@link McpToolPinStore}, the {@link McpToolApproval}
 * and the {@link McpCallerIdentity} of the application. Spring Boot configures one; a
 * client without Spring Boot gets it by
 * {@code StandaloneMcpClient.builder().add(new McpGuard())}. Comes before customizers of
 * the application that have no order. Safe for use by many threads.
 */
@Order(0)
public final class McpGuard implements McpToolListingCustomizer, McpToolPins, BeanFactoryAware {

	private final boolean pinFirstListing;

	private Supplier<ToolPins> pins;

	private Supplier<RuleInterceptors> rules;

	/**
	 * Create a guard that approves nothing by itself.
	 */
	public McpGuard() {
		this(false);
	}

	McpGuard(boolean pinFirstListing) {
		this(pinFirstListing, McpGuard::missing, McpGuard::missing);
	}

	McpGuard(boolean pinFirstListing, Supplier<ToolPins> pins, Supplier<RuleInterceptors> rules) {
		this.pinFirstListing = pinFirstListing;
		this.pins = pins;
		this.rules = rules;
	}

	private static <T> T missing() {
		throw new IllegalStateException(
				"The McpGuard has no client: it is a bean, or added to a StandaloneMcpClient.Builder");
	}

	@Override
	public void setBeanFactory(BeanFactory beans) {
		this.pins = SingletonSupplier.of(() -> {
			ClientThreads threads = beans.getBean(ClientThreads.class);
			return new ToolPins(beans.getBean(McpToolPinStore.class), this.pinFirstListing, threads.pinning(),
					threads.scheduler());
		});
		this.rules = SingletonSupplier.of(() -> new RuleInterceptors(() -> beans.getBean(McpToolApproval.class),
				beans.getBeanProvider(McpCallerIdentity.class).getIfAvailable(() -> Mono::empty),
				beans.getBean(ClientThreads.class).scheduler()));
	}

	@Override
	public Set<String> settings() {
		return Set.of("tools.pinning", "tools.rules");
	}

	@Override
	public Mono<Void> prepare(Listing listing) {
		return ToolPins.isPinned(listing.definition()) ? this.pins.get().prepare(listing) : Mono.empty();
	}

	@Override
	public void customize(ListedTool tool) {
		if (ToolPins.isBlocked(tool.listing().definition())) {
			String refusal = this.pins.get().refusal(tool);
			if (refusal != null) {
				tool.exclude(refusal);
				return;
			}
		}
		if (ToolRules.isRuled(tool.listing().definition())) {
			this.rules.get().apply(tool);
		}
	}

	@Override
	public List<McpToolPin> pins(Listing listing) {
		return ToolPins.isPinned(listing.definition()) ? this.pins.get().pins(listing) : List.of();
	}

	@Override
	public Mono<Void> approve(Listing listing, Map<String, String> hashes) {
		Assert.isTrue(ToolPins.isPinned(listing.definition()),
				() -> "tools.pinning of MCP server '" + listing.definition().name() + "' is off");
		return this.pins.get().approve(listing, hashes);
	}

}
