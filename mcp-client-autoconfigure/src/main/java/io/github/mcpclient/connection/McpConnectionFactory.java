package io.github.mcpclient.connection;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Timeouts;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.session.SessionOptions;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.SerialQueue;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import reactor.core.scheduler.Scheduler;

/**
 * Makes the connections of an application. Safe for use by many threads.
 */
public final class McpConnectionFactory {

	private final McpSessionFactory sessions;

	private final ClientScheduler scheduler;

	private final Scheduler opener;

	private final Scheduler closer;

	private final Implementation clientInfo;

	private final ProvidedHeaders headers;

	/**
	 * Create a factory.
	 * @param sessions makes the session of each attempt
	 * @param scheduler runs everything: its tasks do not block. Outlives the connections
	 * @param opener runs the beginning of each attempt, which may block: making a
	 * transport builds its TLS context, and a transport factory may be a user's
	 * @param closer runs the end of each attempt, which may block, too
	 * @param clientInfo what the application says of itself to servers
	 * @param headers what is sent with the calls of callers
	 */
	public McpConnectionFactory(McpSessionFactory sessions, ClientScheduler scheduler, Scheduler opener,
			Scheduler closer, Implementation clientInfo, ProvidedHeaders headers) {
		this.sessions = sessions;
		this.scheduler = scheduler;
		this.opener = opener;
		this.closer = closer;
		this.clientInfo = clientInfo;
		this.headers = headers;
	}

	/**
	 * Make a connection, which does nothing until it is started or used; to be closed.
	 * @param transports makes a new transport for each attempt; where it fails, so does
	 * the attempt
	 */
	public McpConnection create(McpServerDefinition definition, Supplier<McpClientTransport> transports,
			McpConnectionListener listener) {
		Timeouts timeouts = definition.timeouts();
		SessionOptions options = new SessionOptions(definition.name(), this.clientInfo, capabilities(definition),
				timeouts.initialization(), timeouts.request(), definition.limits().maxTools(),
				definition.prompts().max(), definition.resources().max());
		ConnectionContext context = new ConnectionContext(definition, transports, this.sessions, options,
				new SerialQueue(this.scheduler, this.scheduler), new SerialQueue(this.opener, this.scheduler),
				new SerialQueue(this.closer, this.scheduler), new ErrorWording(definition));
		Backoff backoff = new Backoff(definition.reconnect(), () -> ThreadLocalRandom.current().nextLong());
		Supervisor supervisor = new Supervisor(context, backoff, listener);
		return new McpConnection(definition, supervisor, new Calls(supervisor, context, this.headers));
	}

	private static ClientCapabilities capabilities(McpServerDefinition definition) {
		ClientCapabilities.Builder capabilities = ClientCapabilities.builder();
		if (!definition.experimentalCapabilities().isEmpty()) {
			capabilities.experimental(definition.experimentalCapabilities());
		}
		return capabilities.build();
	}

}
