package io.github.mcpclient.connection;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Timeouts;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.session.SessionOptions;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.LogLimit;
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

	private final SessionSource sessions;

	private final ClientScheduler scheduler;

	private final Scheduler opener;

	private final Implementation clientInfo;

	private final RandomGenerator random;

	private final ProvidedHeaders headers;

	/**
	 * Create a factory.
	 * @param sessions makes the session of each attempt
	 * @param scheduler runs everything: its tasks do not block. Outlives the connections
	 * @param opener runs the beginning and the end of each attempt, which may block:
	 * making a transport builds its TLS context, and a transport factory may be a user's
	 * @param clientInfo what the application says of itself to servers
	 * @param headers what is sent with the calls of callers
	 */
	public McpConnectionFactory(McpSessionFactory sessions, ClientScheduler scheduler, Scheduler opener,
			Implementation clientInfo, ProvidedHeaders headers) {
		this(sessions::create, scheduler, opener, clientInfo, () -> ThreadLocalRandom.current().nextLong(),
				headers);
	}

	McpConnectionFactory(SessionSource sessions, ClientScheduler scheduler, Scheduler opener,
			Implementation clientInfo, RandomGenerator random, ProvidedHeaders headers) {
		this.opener = opener;
		this.sessions = sessions;
		this.scheduler = scheduler;
		this.clientInfo = clientInfo;
		this.random = random;
		this.headers = headers;
	}

	/**
	 * Make a connection, which does nothing until it is started or used.
	 * @param definition the server to connect to
	 * @param transports makes a new transport for each attempt; may fail, which is a
	 * failed attempt, but must not block
	 * @param listener told of the changes of the connection
	 * @return the connection, to be closed by the caller
	 */
	public McpConnection create(McpServerDefinition definition, Supplier<McpClientTransport> transports,
			McpConnectionListener listener) {
		Timeouts timeouts = definition.timeouts();
		SessionOptions options = new SessionOptions(definition.name(), this.clientInfo, capabilities(definition),
				timeouts.initialization(), timeouts.request(), definition.limits().maxTools(),
				definition.prompts().max(), definition.resources().max());
		ErrorWording wording = new ErrorWording(definition);
		SerialQueue queue = new SerialQueue(this.scheduler, this.scheduler);
		SerialQueue blocking = new SerialQueue(this.opener, this.scheduler);
		ServerLog serverLog = new ServerLog(definition.name(), wording, new LogLimit(queue::nanoTime));
		Environment environment = new Environment(definition, transports, this.sessions, options, queue, blocking,
				wording, serverLog, new FirstStart(definition));
		Supervisor supervisor = new Supervisor(environment, new Backoff(definition.reconnect(), this.random), listener);
		return new McpConnection(definition, supervisor, new Calls(supervisor, environment, this.headers));
	}

	private static ClientCapabilities capabilities(McpServerDefinition definition) {
		ClientCapabilities.Builder capabilities = ClientCapabilities.builder();
		if (!definition.experimentalCapabilities().isEmpty()) {
			capabilities.experimental(definition.experimentalCapabilities());
		}
		return capabilities.build();
	}

}
