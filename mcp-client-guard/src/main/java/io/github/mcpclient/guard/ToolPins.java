package io.github.mcpclient.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.event.McpUnapprovedToolsEvent;
import io.github.mcpclient.guard.ServerPins.Approved;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.McpToolListingCustomizer.ListedTool;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.util.Assert;

/**
 * Compares the tools of servers that pin definitions with the approved tools, on threads
 * that the store may block. If the store cannot be read, no tool is approved, and it is
 * read again later. Safe for use by many threads.
 */
final class ToolPins {

	static final Duration RETRY = Duration.ofSeconds(30);

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private static final Duration LONGEST_APPROVAL = Duration.ofSeconds(20);

	private static final int MAX_REPORTS = 10;

	private static final Duration REPORTS = Duration.ofMinutes(10);

	private static final int MAX_NAMED = 10;

	private static final Logger logger = LoggerFactory.getLogger(ToolPins.class);

	private final McpToolPinStore store;

	private final boolean pinFirstListing;

	private final ServerThreads threads;

	private final Scheduler scheduler;

	private final AtomicLong listings = new AtomicLong();

	/**
	 * Create an instance.
	 * @param pinFirstListing whether the tools of a server without approved tools are
	 * approved with its first listing
	 * @param threads the threads on which the store is called
	 */
	ToolPins(McpToolPinStore store, boolean pinFirstListing, ServerThreads threads, Scheduler scheduler) {
		this.store = store;
		this.pinFirstListing = pinFirstListing;
		this.threads = threads;
		this.scheduler = scheduler;
	}

	static boolean isPinned(McpServerDefinition server) {
		return server.tools().enabled() && server.tools().pinning() != McpToolPinning.OFF;
	}

	/**
	 * Return whether tools without an approval are excluded.
	 */
	static boolean isBlocked(McpServerDefinition server) {
		return isPinned(server) && server.tools().pinning() == McpToolPinning.BLOCK;
	}

	private ServerPins of(Listing listing) {
		return listing.state(ServerPins.class, () -> new ServerPins(listing.definition().limits().maxTools(),
				new LogLimit(() -> this.scheduler.now(TimeUnit.NANOSECONDS), MAX_REPORTS, REPORTS)));
	}

	/**
	 * Return the state of the tools that a server lists.
	 */
	List<McpToolPin> pins(Listing listing) {
		return of(listing).compared().pins();
	}

	/**
	 * Compare the tools that a server lists, for all users or for one, with the approved
	 * tools. Never fails, and completes within a few seconds.
	 */
	Mono<Void> prepare(Listing listing) {
		return Mono.defer(() -> {
			ServerPins pins = of(listing);
			long order = this.listings.incrementAndGet();
			List<Tool> tools = listing.tools();
			return read(listing, tools, (approved) -> {
				if (pins.listed(order, listing.forUser(), tools, approved)) {
					listing.reapplyCustomizers().subscribe();
				}
			});
		});
	}

	/**
	 * Return why a tool is excluded if tools without an approval are blocked, or
	 * {@code null} if it is not excluded.
	 */
	@Nullable String refusal(ListedTool tool) {
		return of(tool.listing()).compared().refusal(tool.tool());
	}

	private Mono<Void> read(Listing listing, List<Tool> tools, Consumer<Approved> use) {
		McpServerDefinition server = listing.definition();
		ServerPins pins = of(listing);
		Duration limit = Collections
			.min(List.of(LONGEST, Deadline.atMostForever(server.timeouts().initialization()).dividedBy(4)));
		return this.threads.call(server.name(), () -> {
			use.accept(Approved.of(approved(listing, tools), listing::maskSecrets));
			report(listing, pins);
			return true;
		}).timeout(limit, this.scheduler).onErrorResume((ex) -> {
			String failure = (ex instanceof TimeoutException)
					? "the approved tools could not be read within " + limit.toMillis() + " ms"
					: "the approved tools could not be read: " + listing.toSingleLine(String.valueOf(ex.getMessage()));
			boolean known = failure.equals(pins.compared().failure());
			use.accept(Approved.unknown(failure));
			if (!known) {
				LogKeys.line(logger, Level.WARN, server.name())
					.log("Tools of MCP server '{}' {}: {}", server.name(), effect(server), failure);
			}
			readLater(listing, pins);
			return Mono.empty();
		}).then();
	}

	private void readLater(Listing listing, ServerPins pins) {
		if (pins.retries().compareAndSet(false, true)) {
			this.scheduler.schedule(() -> {
				pins.retries().set(false);
				if (listing.server().status().state() != McpServerState.CLOSED) {
					// approvals that were read for another user are not applied to this
					// one yet
					Mono<Void> read = (pins.compared().failure() == null) ? Mono.empty()
							: read(listing, pins.compared().listed(), pins::approved);
					read.then(listing.reapplyCustomizers()).subscribe();
				}
			}, RETRY.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private Collection<ApprovedTool> approved(Listing listing, List<Tool> tools) {
		McpServerDefinition server = listing.definition();
		Collection<ApprovedTool> approved = this.store.approved(server.name());
		if (!approved.isEmpty() || !this.pinFirstListing || tools.isEmpty()) {
			return approved;
		}
		List<ApprovedTool> first = definitions(tools, listing);
		if (first.isEmpty()) {
			return first;
		}
		this.store.approve(server.name(), first);
		LogKeys.line(logger, Level.INFO, server.name())
			.log("Pinned the definitions of {} tools of MCP server '{}', from its first listing", first.size(),
					server.name());
		return this.store.approved(server.name());
	}

	// without tools that have no hash
	private static List<ApprovedTool> definitions(List<Tool> tools, Listing listing) {
		List<ApprovedTool> approved = new ArrayList<>();
		for (Tool tool : tools) {
			PinnedDefinition definition = PinnedDefinition.of(tool);
			String hash = definition.hash();
			if (hash != null) {
				String json = definition.json();
				approved.add(
						new ApprovedTool(tool.name(), hash, (json != null && !hasSecret(json, listing)) ? json : null));
			}
		}
		return approved;
	}

	private static boolean hasSecret(String json, Listing listing) {
		// a secret may have characters that are escaped
		String unescaped = json.replace("\\\"", "\"").replace("\\\\", "\\");
		return !listing.maskSecrets(json).equals(json) || !listing.maskSecrets(unescaped).equals(unescaped);
	}

	private static void report(Listing listing, ServerPins pins) {
		McpServerDefinition server = listing.definition();
		List<McpToolPin> tools = pins.unreported();
		if (tools.isEmpty()) {
			return;
		}
		String named = Printable.first(MAX_NAMED, tools,
				(pin) -> "'" + Printable.text(pin.tool()) + "'" + ServerPins.problem(pin));
		pins.reports().log(() -> {
			LogKeys.line(logger, Level.WARN, server.name())
				.log("Tools of MCP server '{}' {}: {}. Compare them "
						+ "in /actuator/mcp/{}, and approve the correct ones", server.name(), effect(server), named,
						server.name());
			listing.publish(new McpUnapprovedToolsEvent(server.name(), server.tools().pinning() == McpToolPinning.BLOCK,
					tools));
		}, (notice) -> LogKeys.line(logger, Level.WARN, server.name())
			.log("Tools of MCP server '{}' that are not approved: {}", server.name(), notice));
	}

	private static String effect(McpServerDefinition server) {
		return (server.tools().pinning() == McpToolPinning.BLOCK)
				? "are withheld, since their definitions are not approved"
				: "are available, although their definitions are not approved";
	}

	/**
	 * Approve tools that a server lists now.
	 * @param hashes the hash of each tool
	 * @throws IllegalArgumentException if a tool is not listed with this hash now
	 */
	Mono<Void> approve(Listing listing, Map<String, String> hashes) {
		McpServerDefinition server = listing.definition();
		Assert.isTrue(!hashes.isEmpty(), "No tools to approve");
		ServerPins pins = of(listing);
		List<Tool> tools = new ArrayList<>();
		List<String> others = new ArrayList<>();
		hashes.forEach((name, hash) -> {
			Tool tool = pins.compared().find(name, hash);
			if (tool != null) {
				tools.add(tool);
			}
			else {
				others.add("'" + Printable.text(name) + "'");
			}
		});
		Assert.isTrue(others.isEmpty(), () -> "Nothing was approved: MCP server '" + server.name()
				+ "' does not list these tools with these hashes now: " + String.join(", ", others));
		return this.threads.call(server.name(), () -> {
			this.store.approve(server.name(), definitions(tools, listing));
			pins.approved(Approved.of(this.store.approved(server.name()), listing::maskSecrets));
			LogKeys.line(logger, Level.INFO, server.name())
				.log("The definitions of {} tools of MCP server '{}' were approved", tools.size(), server.name());
			return true;
		})
			.timeout(LONGEST_APPROVAL, this.scheduler)
			.onErrorMap((ex) -> new NotStoredException(server.name(),
					(ex instanceof TimeoutException) ? "it took longer than " + LONGEST_APPROVAL.toSeconds() + " s"
							: listing.toSingleLine(String.valueOf(ex.getMessage()))))
			// the stored approval is applied regardless of the duration
			.then(Mono.defer(() -> Mono.fromFuture(listing.reapplyCustomizers().toFuture(), true))
				.timeout(LONGEST_APPROVAL, Mono.empty(), this.scheduler));
	}

	/**
	 * An approval could not be stored.
	 */
	private static final class NotStoredException extends McpException {

		NotStoredException(String serverName, String reason) {
			super(serverName, "The approval of tools of MCP server '" + serverName + "' could not be stored: " + reason,
					true, null);
		}

	}

}
