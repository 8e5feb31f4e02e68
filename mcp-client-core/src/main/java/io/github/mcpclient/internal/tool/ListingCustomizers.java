package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpToolPins;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Calls the customizers of the tools of servers, on threads that may block for some time.
 * Thread-safe.
 *
 * @param all the customizers in the order of their calls
 */
record ListingCustomizers(List<McpToolListingCustomizer> all, ServerThreads threads, Scheduler scheduler) {

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	/**
	 * Let customizers prepare for a listing. Its tools are excluded if a customizer does
	 * not complete in time. Never fails.
	 */
	Mono<Void> prepare(ServerListing listing) {
		return Mono.defer(() -> {
			List<McpToolListingCustomizer> pending = new CopyOnWriteArrayList<>(this.all);
			// the result of a customizer may block, too, when it is subscribed to. The
			// first pending customizer has
			// failed; none is pending if all have just completed
			return inTime(listing,
					() -> listing.preparing(this.all.stream().map((one) -> prepare(one, listing, pending)).toList())
						.toFuture(),
					(failure) -> pending.stream()
						.findFirst()
						.ifPresent((one) -> listing.failed(failure(one, listing, failure))));
		});
	}

	private Mono<Void> inTime(ServerListing listing, Callable<CompletableFuture<@Nullable Void>> code,
			Consumer<String> failed) {
		Duration limit = Deadline.atMostForever(listing.definition().timeouts().initialization()).dividedBy(3);
		return this.threads.<CompletableFuture<@Nullable Void>>call(listing.toolServer().name(), code)
			.flatMap((done) -> Mono.fromFuture(done))
			.timeout(limit, this.scheduler)
			.onErrorResume((failure) -> {
				failed.accept((failure instanceof TimeoutException) ? "it took longer than " + limit.toMillis() + " ms"
						: failure.toString());
				return Mono.empty();
			});
	}

	private static Mono<Void> prepare(McpToolListingCustomizer customizer, ServerListing listing,
			List<McpToolListingCustomizer> pending) {
		return Mono.defer(() -> customizer.prepare(listing))
			.doOnError((failure) -> pending.add(0, customizer))
			.doOnSuccess((done) -> pending.remove(customizer));
	}

	/**
	 * Customize tools. They are excluded if this does not complete in time. Never fails.
	 */
	Mono<Void> ask(ServerListing listing, Runnable asking) {
		return inTime(listing, () -> {
			asking.run();
			return CompletableFuture.completedFuture(null);
		}, (failure) -> listing.failed("a McpToolListingCustomizer failed: " + listing.toSingleLine(failure)));
	}

	/**
	 * Return the result of the customizers for a tool that passes the rules of the
	 * configuration.
	 */
	CustomizedTool customize(ServerListing listing, ToolNames names, Tool tool) {
		return this.all.isEmpty() ? CustomizedTool.of(names, tool)
				: listing.customized(names, tool, (of) -> CustomizedTool.of(this.all, listing, of, tool));
	}

	static String failure(McpToolListingCustomizer customizer, ServerListing listing, String failure) {
		return "the McpToolListingCustomizer " + customizer.getClass().getName() + " failed: "
				+ listing.toSingleLine(failure);
	}

	/**
	 * Return the customizer that compares the definitions of tools, if any.
	 */
	@Nullable McpToolPins pins() {
		return this.all.stream()
			.filter(McpToolPins.class::isInstance)
			.map(McpToolPins.class::cast)
			.findFirst()
			.orElse(null);
	}

}
