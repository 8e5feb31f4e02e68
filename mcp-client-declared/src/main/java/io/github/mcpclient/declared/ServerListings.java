package io.github.mcpclient.declared;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Stores the latest listing of each server, which masks the secrets of the server and
 * publishes events in order. It changes no tool. Safe for use by many threads.
 */
final class ServerListings implements McpToolListingCustomizer {

	private final Map<String, Listing> latest = new ConcurrentHashMap<>();

	private final ApplicationEventPublisher events;

	ServerListings(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Override
	public Mono<Void> prepare(Listing listing) {
		if (!listing.forUser()) {
			this.latest.put(listing.definition().name(), listing);
		}
		return Mono.empty();
	}

	@Override
	public void customize(ListedTool tool) {
		// no tool is changed
	}

	/**
	 * Forget a server that has been removed, unless there is another one of its name.
	 */
	void forgetIf(String server, Predicate<String> removed) {
		this.latest.computeIfPresent(server, (name, listing) -> removed.test(name) ? null : listing);
	}

	String masked(String server, String text) {
		Listing listing = this.latest.get(server);
		return (listing != null) ? listing.maskSecrets(text) : text;
	}

	void publish(McpServerEvent event) {
		Listing listing = this.latest.get(event.serverName());
		if (listing != null) {
			listing.publish(event);
		}
		else {
			this.events.publishEvent(event);
		}
	}

}
