package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.Locale;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.JsonRpcCodec;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.internal.transport.ResultLimit;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;

/**
 * The parts of a transport over HTTP; it disposes of the pool. The configured headers
 * have been validated. Tasks of the timer do not block.
 */
record HttpSetup(McpServerDefinition definition, Http http, HttpPool pool, HeaderSources headers, JsonRpcCodec codec,
		MessageReader reader, Scheduler timer, ResultLimit resultLimit, HttpFailures failures,
		@Nullable CookieJar cookies) {

	/**
	 * Prepare a transport. The scheme is that without TLS: {@code http} or {@code ws}.
	 */
	static HttpSetup of(McpServerDefinition definition, String scheme, McpHttpClients clients, HeaderSources headers,
			JsonRpcCodec codec, ClientScheduler timer) {
		Http http = definition.http();
		if (http == null || http.url().getHost() == null
				|| !http.url().getScheme().toLowerCase(Locale.ROOT).matches(scheme + "s?")) {
			throw new TransportException("The URL is not " + (scheme.equals("ws") ? "a WebSocket URL" : "an HTTP URL"),
					"Set " + PropertyNames.ofServer(definition.name(), "url") + " to a URL that begins with " + scheme
							+ ":// or " + scheme + "s://.",
					false, null)
				.atStep(StepKind.CONFIGURATION);
		}
		String nextStep = "Correct " + PropertyNames.ofServer(definition.name(), "headers") + ".";
		http.headers().forEach((header, value) -> check(header, HttpHeaderValidator.problem(header, value), nextStep));
		return new HttpSetup(definition, http, clients.create(definition, timer), headers, codec,
				new MessageReader(codec, definition.name(), timer), timer, new ResultLimit(definition),
				new HttpFailures(definition, http), http.cookies() ? new CookieJar(timer) : null);
	}

	/**
	 * Return the same with a client that is derived from the client of the pool, which
	 * then need not be stored separately.
	 */
	HttpSetup with(HttpClient client) {
		return new HttpSetup(this.definition, this.http, new HttpPool(client, this.pool.connections()), this.headers,
				this.codec, this.reader, this.timer, this.resultLimit, this.failures, this.cookies);
	}

	/**
	 * Return the cookies of the session, which no text of the server may show.
	 */
	Secrets session() {
		return (this.cookies != null) ? this.cookies.secrets() : Secrets.NONE;
	}

	String serverName() {
		return this.definition.name();
	}

	/**
	 * Limit the time that the headers of a request without a caller take, and validate
	 * them.
	 */
	Mono<RequestHeaders> validated(Mono<RequestHeaders> headers) {
		Duration timeout = this.definition.timeouts().connect();
		return headers.timeout(timeout, Mono.error(() -> headersTooLate(timeout)), this.timer)
			.onErrorMap((failure) -> !(failure instanceof TransportException), this::noHeaders)
			.doOnNext(HttpSetup::check);
	}

	/**
	 * Refuse headers that cannot be sent.
	 */
	static void check(RequestHeaders headers) {
		headers.provided().forEach((name, value) -> checkProvided(name, value, "McpHeadersProvider"));
		headers.authorization().forEach((name, value) -> checkProvided(name, value, "McpAuthorizer"));
	}

	private TransportException noHeaders(Throwable failure) {
		return new TransportException("An McpHeadersProvider failed: " + this.failures.line(failure.toString()),
				"Correct the McpHeadersProvider.", false, failure)
			.atStep(StepKind.CONFIGURATION);
	}

	private TransportException headersTooLate(Duration timeout) {
		boolean authorized = HeaderSources.isAuthorized(this.definition);
		String source = authorized ? "The authorization" : "An McpHeadersProvider";
		return new TransportException(source + " provided no headers within " + timeout.toMillis() + " ms",
				"Make it faster, or raise " + this.failures.property("connect-timeout") + ".", false, null)
			.atStep(authorized ? StepKind.TOKEN : StepKind.CONFIGURATION);
	}

	private static void checkProvided(String header, @Nullable String value, String source) {
		check(header, HttpHeaderValidator.problemOfProvided(header, value), "Correct the " + source + ".");
	}

	// refuse a header that has a problem, which is a sentence
	private static void check(String name, @Nullable String problem, String nextStep) {
		if (problem != null) {
			String header = HttpHeaderValidator.isName(name) ? "The header '" + name + "'" : "A header";
			String reason = problem.substring(0, problem.length() - 1);
			throw new TransportException(header + " cannot be sent: " + reason, nextStep, false, null)
				.atStep(StepKind.CONFIGURATION);
		}
	}

	int maxMessageSize() {
		return (int) Math.min(Integer.MAX_VALUE - 16, this.definition.limits().maxMessageSize().toBytes());
	}

}
