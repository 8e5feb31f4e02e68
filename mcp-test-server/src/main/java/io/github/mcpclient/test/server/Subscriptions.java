package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.netty.channel.AbortedException;
import tools.jackson.databind.JsonNode;

/**
 * The subscriptions of clients with {@code subscriptions/listen}.
 */
final class Subscriptions {

	private static final String ID = McpTestRequest.META + "subscriptionId";

	private static final Map<String, String> LISTS = Map.of("notifications/tools/list_changed", "toolsListChanged",
			"notifications/prompts/list_changed", "promptsListChanged", "notifications/resources/list_changed",
			"resourcesListChanged");

	private static final String RESOURCES = "resourceSubscriptions";

	private final Set<Subscription> active = ConcurrentHashMap.newKeySet();

	private final Runnable changed;

	/**
	 * Create an instance.
	 * @param changed runs when a subscription begins or ends
	 */
	Subscriptions(Runnable changed) {
		this.changed = changed;
	}

	McpTestReply listen(McpTestRequest request, Map<String, Object> capabilities) {
		JsonNode id = request.idNode();
		JsonNode wanted = request.message().path("params").path("notifications");
		if (id == null || !wanted.isObject()) {
			return McpTestReply.error(-32602, "Without notifications");
		}
		Map<String, JsonNode> granted = granted(wanted, Json.MAPPER.valueToTree(capabilities));
		return McpTestReply.stream(Flux.defer(() -> {
			Subscription subscription = new Subscription(id, granted, request.session());
			subscription.notify("notifications/subscriptions/acknowledged", Map.of("notifications", granted));
			this.active.add(subscription);
			this.changed.run();
			return subscription.stream.asFlux().doFinally((signal) -> {
				this.active.remove(subscription);
				this.changed.run();
			});
		}));
	}

	private static Map<String, JsonNode> granted(JsonNode wanted, JsonNode capabilities) {
		Map<String, JsonNode> granted = new LinkedHashMap<>();
		LISTS.forEach((method, name) -> {
			JsonNode capability = capabilities.path(method.split("/")[1]);
			if (wanted.path(name).asBoolean(false) && capability.path("listChanged").asBoolean(false)) {
				granted.put(name, wanted.path(name));
			}
		});
		if (wanted.path(RESOURCES).isArray() && capabilities.path("resources").path("subscribe").asBoolean(false)) {
			granted.put(RESOURCES, wanted.path(RESOURCES));
		}
		return granted;
	}

	int count() {
		return this.active.size();
	}

	/**
	 * Notify the subscribers of a method.
	 */
	void notify(String method, Map<String, ?> params) {
		forEach((subscription) -> subscription.wants(method, params),
				(subscription) -> subscription.notify(method, params));
	}

	/**
	 * Send text on streams that carry only a subscription.
	 */
	void send(String text) {
		forEach((subscription) -> subscription.session == null, (subscription) -> subscription.send(text));
	}

	/**
	 * End all subscriptions with a result.
	 */
	void close() {
		forEach((subscription) -> true, Subscription::close);
	}

	/**
	 * End all subscriptions without a result.
	 */
	void cut() {
		forEach((subscription) -> true, Subscription::cut);
	}

	/**
	 * Handle the cancellation of subscriptions.
	 * @param session the ID of the client's connection
	 * @param id the request ID as JSON, {@code null} for all
	 */
	void cancelled(String session, @Nullable String id) {
		forEach((subscription) -> subscription.session != null && subscription.session.id().equals(session)
				&& (id == null || id.equals(subscription.id.toString())),
				(subscription) -> subscription.stream.tryEmitComplete());
	}

	private void forEach(Predicate<Subscription> condition, Consumer<Subscription> action) {
		this.active.stream().filter(condition).forEach(action);
	}

	/**
	 * The subscription of one request.
	 */
	private static final class Subscription {

		private final Sinks.Many<Flux<String>> stream = Sinks.many().unicast().onBackpressureBuffer();

		private final JsonNode id;

		private final Map<String, JsonNode> granted;

		private final @Nullable Session session;

		Subscription(JsonNode id, Map<String, JsonNode> granted, @Nullable Session session) {
			this.id = id;
			this.granted = granted;
			this.session = session;
		}

		boolean wants(String method, Map<String, ?> params) {
			if (!method.equals("notifications/resources/updated")) {
				return this.granted.containsKey(LISTS.getOrDefault(method, ""));
			}
			JsonNode uris = this.granted.get(RESOURCES);
			return uris != null && uris.valueStream().anyMatch((uri) -> uri.asString("").equals(params.get("uri")));
		}

		void notify(String method, Map<String, ?> params) {
			Map<String, Object> all = new LinkedHashMap<>(params);
			all.put("_meta", Map.of(ID, this.id));
			send(McpTestReply.notification(method, all));
		}

		synchronized void send(String text) {
			this.stream.tryEmitNext(Flux.just(text));
		}

		synchronized void close() {
			send(Json.response(this.id, "result", Map.of("resultType", "complete", "_meta", Map.of(ID, this.id))));
			this.stream.tryEmitComplete();
		}

		synchronized void cut() {
			if (this.session == null) {
				this.stream.tryEmitError(AbortedException.beforeSend());
				return;
			}
			send(McpTestReply.notification("notifications/cancelled", Map.of("requestId", this.id)));
			this.stream.tryEmitComplete();
		}

	}

}
