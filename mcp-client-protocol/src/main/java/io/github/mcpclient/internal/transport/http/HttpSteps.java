package io.github.mcpclient.internal.transport.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.TransportException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

import org.springframework.util.StringUtils;

/**
 * Reports the steps of a check by watching the requests of a transport, which are the
 * same as without a check. The code that detects a failure also describes it.
 */
final class HttpSteps {

	// how long before its end a certificate is warned of
	private static final Duration SOON = Duration.ofDays(14);

	private static final List<StepKind> KINDS = List.of(StepKind.DNS, StepKind.TCP, StepKind.TLS, StepKind.HTTP,
			StepKind.REDIRECT, StepKind.CONTENT_TYPE, StepKind.AUTHORIZATION_METADATA, StepKind.TOKEN);

	private static final Set<String> PLAIN = Set.of("accept", "accept-encoding", "content-length", "content-type",
			"host", "mcp-protocol-version", "user-agent");

	private static final int MAX_QUOTE = 500;

	private final HttpSetup setup;

	private final Consumer<Step> steps;

	// each address that was tried, and how that ended
	private final List<String> tried = new CopyOnWriteArrayList<>();

	private volatile boolean reached;

	private volatile long resolving;

	private volatile long connected;

	private volatile long sent;

	private volatile boolean posted;

	private HttpSteps(HttpSetup setup, Consumer<Step> steps) {
		this.setup = setup;
		this.steps = steps;
	}

	/**
	 * Return the same with a client that is watched.
	 */
	static HttpSetup watch(HttpSetup setup, Consumer<Step> steps) {
		HttpSteps watch = new HttpSteps(setup, steps);
		KINDS.forEach((kind) -> steps.accept(Step.skipped(kind, null)));
		HttpClient client = setup.pool().client();
		if (client.configuration().hasProxy()) {
			steps.accept(Step.skipped(StepKind.DNS, "The proxy resolves the name"));
		}
		if (!HttpUris.isSecure(setup.http().url())) {
			steps.accept(Step.skipped(StepKind.TLS, "The URL has no TLS"));
		}
		return setup.with(client.doOnResolve((connection) -> watch.resolving = watch.now())
			.doAfterResolve((connection, address) -> watch.resolved(address))
			.doOnChannelInit((observer, channel, address) -> channel.pipeline().addFirst(watch.new Connecting()))
			.mapConnect(watch::connect)
			.doOnRequest(watch::sending)
			.doOnResponse(watch::received));
	}

	private long now() {
		return this.setup.timer().now(TimeUnit.NANOSECONDS);
	}

	private Duration since(long time) {
		return Duration.ofNanos(Math.max(0, now() - time));
	}

	private void resolved(SocketAddress address) {
		this.steps.accept(Step.passed(StepKind.DNS, since(this.resolving),
				this.setup.http().url().getHost() + " is " + text(address)));
	}

	private static String text(SocketAddress address) {
		return (address instanceof InetSocketAddress inet && !inet.isUnresolved()) ? inet.getAddress().getHostAddress()
				: address.toString();
	}

	private void connected(SocketAddress address, ChannelFuture attempt, long begun) {
		if (this.reached) {
			return;
		}
		Duration duration = since(begun);
		this.reached = attempt.isSuccess();
		this.tried.add(peer(address) + (attempt.isSuccess() ? " in " + duration.toMillis() + " ms"
				: ": " + this.setup.failures().line(NettyFailures.message(attempt.cause()))));
		this.connected = now();
		String all = String.join("; ", this.tried);
		if (attempt.isSuccess()) {
			boolean first = this.tried.size() == 1;
			this.steps
				.accept(new Step(StepKind.TCP, first ? Outcome.PASSED : Outcome.WARNING, duration, all, first ? null
						: "Not all addresses of the host can be reached, which takes time: correct the DNS records."));
		}
		else if (this.tried.size() > 1) {
			TransportException failure = this.setup.failures().exchange(attempt.cause());
			this.steps.accept(new Step(StepKind.TCP, Outcome.FAILED, duration, all, failure.getNextStep()));
		}
	}

	private String peer(SocketAddress address) {
		if (this.setup.pool().client().configuration().hasProxy()) {
			return "The proxy " + address;
		}
		return (address instanceof InetSocketAddress inet) ? text(address) + ":" + inet.getPort() : text(address);
	}

	private <C extends Connection> Mono<C> connect(Mono<C> connection) {
		return connection.onErrorResume(SSLException.class,
				(failure) -> PresentedCertificates.of(this.setup).doOnNext((chain) -> {
					TransportException worded = this.setup.failures().exchange(failure);
					this.steps.accept(new Step(StepKind.TLS, Outcome.FAILED, since(this.connected),
							StringUtils.trimTrailingCharacter(String.valueOf(worded.getMessage()), '.')
									+ ". The server presents " + names(chain),
							worded.getNextStep()));
				}).then(Mono.error(failure)));
	}

	private void sending(HttpClientRequest request, Connection connection) {
		Channel channel = (connection.channel().parent() != null
				&& connection.channel().pipeline().get(SslHandler.class) == null) ? connection.channel().parent()
						: connection.channel();
		SslHandler tls = channel.pipeline().get(SslHandler.class);
		if (tls != null && this.sent == 0) {
			this.steps.accept(tls(tls.engine().getSession()));
		}
		this.sent = now();
		String authorization = request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION);
		this.steps.accept((authorization != null)
				? Step.passed(StepKind.TOKEN, Duration.ZERO, scheme(authorization) + " credentials are sent")
				: Step.skipped(StepKind.TOKEN, "No Authorization header is sent"));
	}

	private static String scheme(String authorization) {
		int blank = authorization.indexOf(' ');
		return (blank > 0 && blank <= 20) ? authorization.substring(0, blank) : "Unnamed";
	}

	private Step tls(SSLSession session) {
		List<X509Certificate> chain = new ArrayList<>();
		try {
			for (Certificate certificate : session.getPeerCertificates()) {
				if (certificate instanceof X509Certificate known) {
					chain.add(known);
				}
			}
		}
		catch (SSLPeerUnverifiedException ex) {
			// it has none: the application trusts everybody
		}
		Instant soon = Clock.systemUTC().instant().plus(SOON);
		boolean ends = chain.stream().anyMatch((certificate) -> certificate.getNotAfter().toInstant().isBefore(soon));
		return new Step(StepKind.TLS, ends ? Outcome.WARNING : Outcome.PASSED, since(this.connected),
				session.getProtocol() + ", " + names(chain),
				ends ? "A certificate expires within " + SOON.toDays() + " days: renew it." : null);
	}

	private static String names(List<X509Certificate> chain) {
		return chain.isEmpty() ? "no certificate"
				: String.join("; ",
						chain.stream()
							.map((certificate) -> certificate.getSubjectX500Principal().getName() + " until "
									+ certificate.getNotAfter().toInstant().atOffset(ZoneOffset.UTC).toLocalDate())
							.toList());
	}

	private void received(HttpClientResponse response, Connection connection) {
		int status = response.status().code();
		// many servers have no separate stream, which is allowed
		if (response.method() == HttpMethod.DELETE || (response.method() != HttpMethod.POST && this.posted)) {
			return;
		}
		this.posted |= response.method() == HttpMethod.POST;
		HttpHeaders headers = response.responseHeaders();
		this.steps.accept(new Step(StepKind.HTTP, (status < 400) ? Outcome.PASSED : Outcome.WARNING, since(this.sent),
				response.method() + ": the server responded with HTTP " + status, null));
		this.steps.accept(redirect(status, headers.get(HttpHeaderNames.LOCATION)));
		String type = HttpEndpoint.mediaType(headers);
		Secrets secrets = sent(response.requestHeaders());
		this.steps.accept((type != null) ? content(secrets.line(type, MAX_QUOTE), status)
				: Step.skipped(StepKind.CONTENT_TYPE, null));
		List<String> challenges = headers.getAll(HttpHeaderNames.WWW_AUTHENTICATE);
		if (status == 401 || status == 403) {
			boolean described = challenges.stream().anyMatch((challenge) -> challenge.contains("resource_metadata"));
			this.steps
				.accept(new Step(StepKind.AUTHORIZATION_METADATA, described ? Outcome.PASSED : Outcome.SKIPPED,
						Duration.ZERO,
						challenges.isEmpty() ? "The server sends no challenge"
								: "The server requires " + secrets.line(String.join(", ", challenges), MAX_QUOTE),
						null));
		}
	}

	// headers of the request, which the server may repeat
	private Secrets sent(HttpHeaders headers) {
		Map<String, String> own = new HashMap<>();
		headers.forEach((header) -> {
			if (!PLAIN.contains(header.getKey().toLowerCase(Locale.ROOT))) {
				own.put(header.getKey(), header.getValue());
			}
		});
		return this.setup.failures().secrets().and().headers(own).build();
	}

	private static Step content(String type, int status) {
		return (status < 400 || !type.contains("html")) ? Step.passed(StepKind.CONTENT_TYPE, Duration.ZERO, type)
				: new Step(StepKind.CONTENT_TYPE, Outcome.WARNING, Duration.ZERO, type,
						"This is a web page: a gateway, proxy or login may have responded instead of the server.");
	}

	private Step redirect(int status, @Nullable String header) {
		if (status < 300 || status >= 400) {
			return Step.passed(StepKind.REDIRECT, Duration.ZERO, "None");
		}
		URI url = this.setup.http().url();
		URI location = (header != null) ? HttpUris.resolve(url, header) : null;
		return new Step(StepKind.REDIRECT, Outcome.WARNING, Duration.ZERO,
				"To " + ((location != null) ? Redaction.url(location) : "an unknown location"),
				this.setup.failures().redirected(location));
	}

	/**
	 * Sees each address that is tried.
	 */
	private final class Connecting extends ChannelOutboundHandlerAdapter {

		@Override
		public void connect(ChannelHandlerContext context, SocketAddress remote, SocketAddress local,
				ChannelPromise promise) {
			long begun = now();
			context.connect(remote, local, promise);
			promise.addListener((ChannelFuture attempt) -> connected(remote, attempt, begun));
		}

	}

}
