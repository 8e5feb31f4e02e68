package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * What the sessions of one connection are opened with, one after another.
 *
 * @param definition the server
 * @param clientInfo what the client says of itself
 * @param initializationTimeout how long the handshake may take
 * @param requests answers what the server asks
 * @param observers observe the requests
 * @param replayed what each session is asked for again
 * @param era what the sessions before have found out about the server
 * @param results what can be used again of those that the server has sent
 */
public record SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
		ServerRequests requests, List<? extends RequestObserver> observers, ReplayedRequests replayed, EraMemory era,
		ResultCache results) {

	/**
	 * Creates the options of a connection to a server of which nothing is known yet.
	 * @param caller returns whose authorization a request in a Reactor context has, or
	 * {@code null} for that of the connection
	 */
	public SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
			ServerRequests requests, List<? extends RequestObserver> observers,
			Function<ContextView, @Nullable Object> caller) {
		this(definition, clientInfo, initializationTimeout, requests, observers, new ReplayedRequests(definition),
				new EraMemory(), new ResultCache().of(caller));
	}

	/**
	 * Returns the options of a connection of one user to the same server.
	 * @param caller as for this connection
	 */
	public SessionOptions ofUser(Function<ContextView, @Nullable Object> caller) {
		return new SessionOptions(this.definition, this.clientInfo, this.initializationTimeout, this.requests,
				this.observers, new ReplayedRequests(this.definition), this.era, this.results.of(caller));
	}

	/**
	 * Uses nothing again that the server has sent so far, to whichever user.
	 */
	public void dropResults() {
		this.results.clear();
	}

	/**
	 * Uses nothing again that the server has sent over this connection alone.
	 */
	public void dropOwnResults() {
		this.results.close();
	}

	/**
	 * Returns these options with another limit to the handshake.
	 */
	public SessionOptions within(Duration initializationTimeout) {
		return new SessionOptions(this.definition, this.clientInfo, initializationTimeout, this.requests,
				this.observers, this.replayed, this.era, this.results);
	}

	/**
	 * Returns the request that a handshake begins with, as messages name it.
	 */
	public String firstRequest() {
		String protocol = this.definition.protocol();
		boolean discovers = (this.definition.http() != null || this.definition.stdio() != null)
				&& !this.definition.type().equals(McpServerDefinition.SSE)
				&& ProtocolRevisions.allowsStateless(protocol)
				&& !(this.era.isLegacy() && ProtocolRevisions.allowsStateful(protocol));
		return discovers ? ProtocolNames.DISCOVER : McpSession.HANDSHAKE;
	}

	String serverName() {
		return this.definition.name();
	}

	Duration requestTimeout() {
		return this.definition.timeouts().request();
	}

	int max(ItemKind<?> kind) {
		return switch (kind.setting()) {
			case "tools" -> this.definition.limits().maxTools();
			case "prompts" -> this.definition.prompts().max();
			default -> this.definition.resources().max();
		};
	}

}
