package io.github.mcpclient.session;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/**
 * Sends messages that nobody waits for: answers to the server, and notifications. What
 * cannot be sent is dropped. Bounded in number and in time, so that a server that does
 * not read costs nothing more.
 */
final class QuietSender {

	static final int LIMIT = 256;

	static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Log logger = LogFactory.getLog(QuietSender.class);

	private final Function<JSONRPCMessage, Mono<Void>> transport;

	private final Alarm alarm;

	private final String serverName;

	private final AtomicInteger underWay = new AtomicInteger();

	QuietSender(Function<JSONRPCMessage, Mono<Void>> transport, Alarm alarm, String serverName) {
		this.transport = transport;
		this.alarm = alarm;
		this.serverName = serverName;
	}

	void send(JSONRPCMessage message, String description, Context context) {
		if (this.underWay.incrementAndGet() > LIMIT) {
			this.underWay.decrementAndGet();
			logger.debug("Dropped " + description + " to MCP server '" + this.serverName + "': " + LIMIT
					+ " messages wait to be sent");
			return;
		}
		Sending sending = new Sending(description, context);
		try {
			this.transport.apply(message).subscribe(sending);
		}
		catch (Throwable ex) {
			sending.onError(ex);
		}
	}

	int underWay() {
		return this.underWay.get();
	}

	private final class Sending extends BaseSubscriber<Void> {

		private final String description;

		private final Context context;

		private volatile @Nullable Disposable timeout;

		private Sending(String description, Context context) {
			this.description = description;
			this.context = context;
		}

		@Override
		public Context currentContext() {
			return this.context;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			this.timeout = QuietSender.this.alarm.schedule(this::dispose, TIMEOUT);
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		protected void hookOnError(Throwable ex) {
			logger.debug("Could not send " + this.description + " to MCP server '" + QuietSender.this.serverName + "'",
					ex);
		}

		@Override
		protected void hookFinally(SignalType type) {
			QuietSender.this.underWay.decrementAndGet();
			Disposable timeout = this.timeout;
			if (timeout != null) {
				timeout.dispose();
			}
		}

	}

}
