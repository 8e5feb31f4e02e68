package io.github.mcpclient.internal.transport.http;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.httpclient.BootHttpClientFactory;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.TransportClient;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.ReferenceCountUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.NettyPipeline;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientConfig;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerState;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.netty.transport.ProxyProvider;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpCookieHandling;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.http.client.ReactorResourceFactory;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpHttpClients} and {@link HttpTransportFactory}.
 */
class McpHttpClientsTests {

	private static final char[] PASSWORD = "password".toCharArray();

	@TempDir
	static Path directory;

	private final McpTestServer server = McpTestServer.create()
		.withoutSessions()
		.on("echo", McpTestReply.result("{}"))
		.start();

	@BeforeAll
	static void createCertificates() throws Exception {
		createCertificate("localhost", "dns:localhost,ip:127.0.0.1");
		createCertificate("elsewhere", "dns:elsewhere.example");
	}

	private static void createCertificate(String name, String san) throws Exception {
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", "server", "-keyalg", "EC",
				"-validity", "2", "-dname", "CN=" + name, "-ext", "san=" + san, "-storetype", "PKCS12", "-keystore",
				directory.resolve(name + ".p12").toString(), "-storepass", new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(keytool.exitValue()).isZero();
	}

	@Test
	void redirectsTimeoutCookiesAndProxyOfTheApplicationDoNotApply() {
		HttpClientSettings settings = HttpClientSettings.defaults()
			.withRedirects(HttpRedirects.FOLLOW)
			.withReadTimeout(Duration.ofMillis(1))
			.withConnectTimeout(Duration.ofMillis(1))
			.withCookieHandling(HttpCookieHandling.ENABLE);
		System.setProperty("http.proxyHost", "proxy.example");
		afterTest(() -> System.clearProperty("http.proxyHost"));
		HttpPool pool = new McpHttpClients(new BootHttpClientFactory(settings, null, null, Map.of()), List.of())
			.create(definition().build(), Schedulers.parallel());
		HttpClientConfig config = pool.client().configuration();
		assertThat(config.responseTimeout()).isNull();
		assertThat(config.followRedirectPredicate()).isNull();
		assertThat(config.isAcceptGzip()).isTrue();
		assertThat(config.hasProxy()).isFalse();
		assertThat(config.options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS)).isEqualTo(10_000);
		pool.dispose(Schedulers.parallel()).block(LIMIT);
		assertThat(pool.connections().isDisposed()).isTrue();
	}

	@Test
	void theAddressFilterOfTheApplicationApplies() {
		HttpClientSettings settings = HttpClientSettings.defaults()
			.withInetAddressFilter(InetAddressFilter.externalAddresses());
		TransportClient client = to(definition(),
				new McpHttpClients(new BootHttpClientFactory(settings, null, null, Map.of()), List.of()));
		assertThat(client.failure("1", "initialize")).isInstanceOf(TransportException.class);
		assertThat(this.server.acceptedConnections()).isZero();
	}

	@Test
	void customizersAreAppliedInTheirOrder() {
		McpHttpClientCustomizer first = (name, client) -> client.headers((headers) -> headers.set("X-Name", name));
		McpHttpClientCustomizer second = (name, client) -> client.headers((headers) -> headers.add("X-Name", "second"));
		TransportClient client = to(definition(),
				new McpHttpClients(McpHttpClientFactory.simple(), List.of(first, second)));
		client.call("1", "echo");
		assertThat(this.server.requests("echo").get(0).headers()).containsEntry("X-Name", List.of("test", "second"));
	}

	@Test
	void aCustomizerMaySetAProxy() {
		McpHttpClientCustomizer proxy = (name, client) -> client.proxy((spec) -> spec.type(ProxyProvider.Proxy.HTTP)
			.socketAddress(InetSocketAddress.createUnresolved("localhost", Peers.freePort())));
		TransportClient client = to(definition(), new McpHttpClients(McpHttpClientFactory.simple(), List.of(proxy)));
		assertThat(client.failure("1", "echo")).isInstanceOf(TransportException.class);
		assertThat(this.server.acceptedConnections()).isZero();
	}

	@Test
	void aFailingCustomizerLeavesNothingBehind() {
		AtomicReference<HttpClient> seen = new AtomicReference<>();
		McpHttpClientCustomizer customizer = (name, client) -> {
			seen.set(client);
			throw new IllegalStateException("no");
		};
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of(customizer));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> clients.create(definition().build(), Schedulers.parallel()));
		assertThat(seen.get().configuration().connectionProvider().isDisposed()).isTrue();
	}

	@Test
	void runsOnTheLoopsOfTheApplication() {
		ReactorResourceFactory resources = new ReactorResourceFactory();
		resources.setUseGlobalResources(false);
		resources.setShutdownQuietPeriod(Duration.ZERO);
		resources.setLoopResourcesSupplier(() -> LoopResources.create("mine", 1, true));
		resources.afterPropertiesSet();
		AtomicReference<String> thread = new AtomicReference<>();
		try (TransportClient client = to(definition(),
				new McpHttpClients(new BootHttpClientFactory(null, resources, null, Map.of()), List.of()))) {
			client.send("1", "echo").doOnTerminate(() -> thread.set(Thread.currentThread().getName())).block(LIMIT);
		}
		assertThat(thread.get()).startsWith("mine");
		resources.destroy();
	}

	@Test
	void speaksTlsWithABundle() throws Exception {
		SslBundles bundles = new DefaultSslBundleRegistry("trusting", trust("localhost"));
		McpTestServer secure = closing(secureServer("localhost"));
		TransportClient client = to(definition(secure, "trusting"),
				new McpHttpClients(new BootHttpClientFactory(null, null, bundles, Map.of()), List.of()));
		assertThat(client.initialize().messages()).hasSize(1);
	}

	@Test
	void connectionsThatComeAndGoLeaveOneListenerOfTheBundle() throws Exception {
		AtomicInteger listeners = new AtomicInteger();
		McpHttpClients clients = new McpHttpClients(
				new BootHttpClientFactory(null, null, new DefaultSslBundleRegistry("trusting", trust("localhost")) {

					@Override
					public void addBundleUpdateHandler(String name, Consumer<SslBundle> handler) {
						listeners.incrementAndGet();
						super.addBundleUpdateHandler(name, handler);
					}

				}, Map.of()), List.of());
		try (McpTestServer secure = secureServer("localhost")) {
			for (int i = 0; i < 3; i++) {
				try (TransportClient client = to(definition(secure, "trusting"), clients)) {
					assertThat(client.initialize().messages()).hasSize(1);
				}
			}
		}
		assertThat(listeners).hasValue(1);
	}

	@Test
	void theBundleOfTheApplicationAppliesWhereTheServerHasNone() throws Exception {
		HttpClientSettings settings = HttpClientSettings.ofSslBundle(trust("localhost"));
		McpTestServer secure = closing(secureServer("localhost"));
		TransportClient client = to(definition(secure, null),
				new McpHttpClients(new BootHttpClientFactory(settings, null, null, Map.of()), List.of()));
		assertThat(client.initialize().messages()).hasSize(1);
	}

	@Test
	@Fault(value = FaultKind.TLS, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void aCertificateThatNobodyTrustsIsRefused() throws Exception {
		McpTestServer secure = closing(secureServer("localhost"));
		TransportClient client = to(definition(secure, null),
				new McpHttpClients(McpHttpClientFactory.simple(), List.of()));
		assertThat(client.failure("1", "initialize")).hasMessageStartingWith("TLS handshake failed: ")
			.hasMessageContaining("unable to find valid certification path")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false)
			.extracting("nextStep")
			.asString()
			.contains("mcp.servers.test.ssl.bundle");
		assertThat(client.termination()).isNotDone();
		assertThat(secure.requests()).isEmpty();
	}

	@Test
	@Fault(value = FaultKind.TLS, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void aCertificateForAnotherHostIsRefused() throws Exception {
		SslBundles bundles = new DefaultSslBundleRegistry("trusting", trust("elsewhere"));
		McpTestServer secure = closing(secureServer("elsewhere"));
		TransportClient client = to(definition(secure, "trusting"),
				new McpHttpClients(new BootHttpClientFactory(null, null, bundles, Map.of()), List.of()));
		assertThat(client.failure("1", "initialize")).isInstanceOf(TransportException.class)
			.hasMessageStartingWith("TLS handshake failed: ")
			.hasMessageContaining("localhost");
		assertThat(secure.requests()).isEmpty();
	}

	@Test
	@Fault(value = FaultKind.TLS, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void aServerThatDoesNotSpeakTls() {
		TransportClient client = to("https://localhost:" + this.server.port() + "/mcp");
		assertThat(client.failure("1", "initialize"))
			.hasMessage("TLS handshake failed: the server does not support TLS")
			.hasFieldOrPropertyWithValue("nextStep", "Check the scheme and port of mcp.servers.test.url.")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
	}

	@Test
	@Fault(value = FaultKind.TLS, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void theHandshakeIsLimitedInTime() throws Exception {
		RawHttpServer raw = RawHttpServer.start(RawHttpServer.Connection::awaitClose);
		TransportClient client = to("https://localhost:" + raw.port() + "/mcp",
				(definition) -> definition.requestTimeout(LIMIT)
					.initializationTimeout(LIMIT)
					.connectTimeout(Duration.ofSeconds(1)));
		assertThat(client.failure("1", "initialize")).hasMessage("No TLS handshake within 1000 ms")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
	}

	@ParameterizedTest
	@CsvSource({ "https, 'h2,http/1.1'", "wss, ''" })
	@SuppressWarnings("deprecation") // there is no other type for what TLS offers
	void tlsOffersTheProtocolsOfACustomizer(String scheme, String offered) {
		HttpPool pool = new McpHttpClients(McpHttpClientFactory.simple(),
				List.of((name, client) -> client.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)))
			.create(McpServerDefinition.http("test", URI.create(scheme + "://localhost/mcp")).build(),
					Schedulers.parallel());
		afterTest(() -> pool.dispose(Schedulers.parallel()).block(LIMIT));
		SslContext tls = pool.client().configuration().sslProvider().getSslContext();
		assertThat(String.join(",", tls.applicationProtocolNegotiator().protocols())).isEqualTo(offered);
	}

	@Test
	void callersShareConnectionsOfHttp2() throws Exception {
		McpTestServer secure = closing(http2Server(UnaryOperator.identity()).on("hang", McpTestReply.never()).start());
		TransportClient client = http2Client(secure.url()).initialize();
		assertThat(client.transport().networkProtocolVersion()).isEqualTo("2");
		for (int i = 0; i < 250; i++) {
			client.send("c" + i, "hang").subscribe(null, (ex) -> {
			});
		}
		secure.awaitRequests("hang", 250);
		client.call("one more", "echo");
		assertThat(secure.acceptedConnections()).isLessThanOrEqualTo(4);
	}

	@Test
	void whatComesBeforeTheResponseIsIgnoredOverHttp2() throws Exception {
		McpTestServer secure = closing(http2Server((http) -> http.childObserve((connection, state) -> {
			if (state == HttpServerState.REQUEST_RECEIVED) {
				connection.channel()
					.pipeline()
					.context(NettyPipeline.HttpTrafficHandler)
					.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.EARLY_HINTS));
			}
		})).start());
		TransportClient client = http2Client(secure.url()).initialize();
		assertThat(client.transport().networkProtocolVersion()).isEqualTo("2");
	}

	@Test
	void noCallWaitsForTheConnectionOfAnotherWhereTheServerHasNoHttp2() throws Exception {
		AtomicBoolean stall = new AtomicBoolean();
		AtomicInteger stalled = new AtomicInteger();
		McpTestServer secure = closing(
				secureServer("localhost", (http) -> http.doOnChannelInit((observer, channel, address) -> {
					if (stall.get()) {
						stalled.incrementAndGet();
						channel.pipeline().addFirst(new Silence());
					}
				})).on("hang", McpTestReply.never()));
		TransportClient client = http2Client(secure.url()).initialize();
		assertThat(client.transport().networkProtocolVersion()).isEqualTo("1.1");
		stall.set(true);
		for (int i = 0; i <= secure.acceptedConnections(); i++) {
			client.send("c" + i, "hang").subscribe(null, (ex) -> {
			});
		}
		Awaitility.await().until(() -> stalled.get() > 0);
		stall.set(false);
		client.call("one more", "echo");
	}

	@Test
	void aBundleThatIsNotThere() {
		McpServerDefinition definition = definition().sslBundle("missing").build();
		for (SslBundles bundles : new SslBundles[] { null, new DefaultSslBundleRegistry() }) {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(
						() -> new McpHttpClients(new BootHttpClientFactory(null, null, bundles, Map.of()), List.of())
							.create(definition, Schedulers.parallel()))
				.withMessage("There is no SSL bundle 'missing'")
				.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.test.ssl.bundle"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://localhost/mcp", "mailto:a@b", "http:///mcp", "/mcp" })
	void aUrlThatIsNotHttpIsRefused(String url) {
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> to(url))
			.withMessage("The URL is not an HTTP URL")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.test.url"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nX-Injected: b", "a\nb", "a\u0000b", "a\u007fb", "pa\u20acss" })
	void aHeaderValueThatCannotBeSentIsRefusedWithoutQuotingIt(String value) {
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> to(this.server.url(), (definition) -> definition.headers(Map.of("X-Key", value))))
			.withMessageContaining("'X-Key'")
			.satisfies((ex) -> {
				assertThat(ex.getMessage()).doesNotContain(value).doesNotContain("Injected");
				assertThat(ex.getNextStep()).isEqualTo("Correct mcp.servers.test.headers.");
				assertThat(ex.isPossiblyProcessed()).isFalse();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a:b", "a\r\nb", "\u00fc", "Content-Length", "transfer-encoding", "Connection",
			"Expect", "trailer" })
	void aHeaderNameThatCannotBeSentIsRefused(String name) {
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> to(this.server.url(), (definition) -> definition.headers(Map.of(name, "5"))));
	}

	@Test
	void headersOfLatin1Arrive() {
		TransportClient client = to(this.server.url(),
				(definition) -> definition.headers(Map.of("X-Key", "\u00fc\t b")))
			.initialize();
		assertThat(client.messages()).hasSize(1);
		assertThat(this.server.requests().get(0).header("X-Key")).isEqualTo("\u00fc\t b");
	}

	@Test
	void typesAndFreshInstances() {
		HttpTransportFactory factory = HttpTransportFactory.streamable(
				new McpHttpClients(McpHttpClientFactory.simple(), List.of()), HeaderSources.NONE, JsonMapper.shared(),
				new VirtualScheduler());
		assertThat(factory.types()).containsExactly("streamable-http", "http", "streamableHttp", "streamable_http",
				"streamablehttp");
		McpServerDefinition definition = definition().build();
		assertThat(factory.create(definition)).isNotSameAs(factory.create(definition));
	}

	@Test
	void callsThatFindNoConnectionFailSoonAndUnprocessed() {
		this.server.on("hang", McpTestReply.never());
		TransportClient client = to(this.server.url());
		List<CompletableFuture<Void>> calls = Flux.range(0, McpHttpClients.MAX_CONNECTIONS)
			.map((i) -> client.send("c" + i, "hang").toFuture())
			.collectList()
			.block(LIMIT);
		this.server.awaitRequests("hang", McpHttpClients.MAX_CONNECTIONS);
		assertThat(client.failure("one more", "hang")).hasMessage("All connections to the server are in use")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false)
			.extracting("nextStep")
			.asString()
			.contains("mcp.servers.test.max-concurrent-calls");
		assertThat(client.termination()).isNotDone();
		client.close();
		Awaitility.await().until(() -> calls.stream().allMatch(CompletableFuture::isCompletedExceptionally));
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void anIdleConnectionIsClosedBeforeTheServerDoesThat() {
		this.server.on("hint", McpTestReply.result("{}").withHeader("Keep-Alive", "timeout=1, max=100"));
		TransportClient client = to(this.server.url());
		client.call("1", "echo");
		Mono.delay(Duration.ofMillis(300)).block();
		client.call("2", "echo");
		assertThat(this.server.acceptedConnections()).isEqualTo(1);
		Mono.delay(Duration.ofMillis(300)).block();
		client.call("3", "hint");
		Mono.delay(Duration.ofMillis(300)).block();
		client.call("4", "echo");
		assertThat(this.server.acceptedConnections()).isEqualTo(2);
	}

	private McpServerDefinitionBuilder definition() {
		return McpServerDefinition.http("test", URI.create(this.server.url()));
	}

	private static McpServerDefinitionBuilder definition(McpTestServer secure, String bundle) {
		return McpServerDefinition.http("test", URI.create(secure.url())).sslBundle(bundle);
	}

	private static McpTestServer secureServer(String name) throws Exception {
		return secureServer(name, UnaryOperator.identity());
	}

	private static McpTestServer secureServer(String name, UnaryOperator<HttpServer> customizer) throws Exception {
		KeyManagerFactory keys = keys(name);
		return McpTestServer.create((http) -> customizer.apply(http)
			.secure((spec) -> Unchecked.run(() -> spec.sslContext(SslContextBuilder.forServer(keys).build())
				.handshakeTimeout(LIMIT.plus(LIMIT)))))
			.start();
	}

	private static KeyManagerFactory keys(String name) throws Exception {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store(name), PASSWORD);
		return keys;
	}

	private static McpTestServer http2Server(UnaryOperator<HttpServer> customizer) throws Exception {
		GenericSslContextSpec<SslContextBuilder> tls = Http2SslContextSpec.forServer(keys("localhost"));
		return McpTestServer.create((http) -> customizer.apply(http)
			.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)
			.http2Settings((settings) -> settings.maxConcurrentStreams(100))
			.secure((spec) -> spec.sslContext(tls)));
	}

	private static TransportClient to(String url) {
		return to(url, (definition) -> {
		});
	}

	private static TransportClient to(String url, Consumer<McpServerDefinitionBuilder> customizer) {
		McpServerDefinitionBuilder definition = McpServerDefinition.http("test", URI.create(url));
		customizer.accept(definition);
		return to(definition, new McpHttpClients(McpHttpClientFactory.simple(), List.of()));
	}

	private static TransportClient to(McpServerDefinitionBuilder definition, McpHttpClients clients) {
		ClientScheduler scheduler = ClientScheduler.create();
		// after the client
		afterTest(scheduler::dispose);
		return new TransportClient(
				HttpTransportFactory.streamable(clients, HeaderSources.NONE, JsonMapper.builder().build(), scheduler),
				definition.build())
			.connect();
	}

	private static TransportClient http2Client(String url) throws Exception {
		TrustManagerFactory trust = trust("localhost").getManagers().getTrustManagerFactory();
		GenericSslContextSpec<SslContextBuilder> tls = Http2SslContextSpec.forClient()
			.configure((context) -> context.trustManager(trust));
		McpHttpClientCustomizer http2 = (name, client) -> client.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)
			.secure((spec) -> spec.sslContext(tls));
		return to(
				McpServerDefinition.http("test", URI.create(url))
					.requestTimeout(LIMIT)
					.connectTimeout(LIMIT.plus(LIMIT)),
				new McpHttpClients(McpHttpClientFactory.simple(), List.of(http2)));
	}

	private static SslBundle trust(String name) throws Exception {
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("server", store(name).getCertificate("server"));
		return SslBundle.of(SslStoreBundle.of(null, null, trusted));
	}

	private static KeyStore store(String name) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
			store.load(in, PASSWORD);
		}
		return store;
	}

	/**
	 * Reads nothing, not even a TLS handshake.
	 */
	private static final class Silence extends ChannelInboundHandlerAdapter {

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ReferenceCountUtil.release(message);
		}

	}

}
