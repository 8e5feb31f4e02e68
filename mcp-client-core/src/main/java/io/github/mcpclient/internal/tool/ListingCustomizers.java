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
 * Asks what customizes the tools of servers, on threads that it may block for a while.
 * Safe for use by many threads.
 *
 * @param all in the order in which they are asked
 */
record ListingCustomizers(List<McpToolListingCustomizer> all, ServerThreads threads, Scheduler scheduler) {

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	/**
	 * Have customizers prepare for a listing, whose tools are withheld where one does not
	 * in time. Never fails.
	 */
	Mono<Void> prepare(ServerListing listing) {
		return Mono.defer(() -> {
			List<McpToolListingCustomizer> pending = new CopyOnWriteArrayList<>(this.all);
			// what a customizer returns may block, too, where it is subscribed to
			// the first that is pending is the one that fails; none where all were done
			// just now
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
	 * Ask what becomes of tools, which are withheld where the answer does not come in
	 * time. Never fails.
	 */
	Mono<Void> ask(ServerListing listing, Runnable asking) {
		return inTime(listing, () -> {
			asking.run();
			return CompletableFuture.completedFuture(null);
		}, (failure) -> listing.failed("a McpToolListingCustomizer failed: " + listing.line(failure)));
	}

	/**
	 * Return what becomes of a tool that passes the rules of the configuration.
	 */
	CustomizedTool customize(ServerListing listing, ToolNames names, Tool tool) {
		return this.all.isEmpty() ? CustomizedTool.of(tool)
				: listing.customized(names, tool, (of) -> CustomizedTool.of(this.all, listing, of, tool));
	}

	static String failure(McpToolListingCustomizer customizer, ServerListing listing, String failure) {
		return "the McpToolListingCustomizer " + customizer.getClass().getName() + " failed: " + listing.line(failure);
	}

	/**
	 * Return what compares the definitions of tools, if something does.
	 */
	@Nullable McpToolPins pins() {
		return this.all.stream()
			.filter(McpToolPins.class::isInstance)
			.map(McpToolPins.class::cast)
			.findFirst()
			.orElse(null);
	}

}
