package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.spi.TransportException;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.core.log.LogMessage;
import org.springframework.http.HttpHeaders;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.util.StringUtils;

/**
 * Logs the user of this machine in. The browser returns to a port of the loopback
 * interface that is open during the login only. The refresh token is stored in a file,
 * together with its client.
 */
final class BrowserLogin {

	private static final int MINUTES = 5;

	private static final Duration TAB_INTERVAL = Duration.ofMinutes(15);

	private static final Log logger = LogFactory.getLog(BrowserLogin.class);

	private final String serverName;

	private final TokenClients tokens;

	private final McpLoginBrowser browser;

	private final Failures failures;

	private final TokenFile file;

	private final AuthorizationHttp http;

	private final RateLimiter tabs;

	private volatile @Nullable TransportException failure;

	private volatile TokenFile.Login login;

	BrowserLogin(AuthorizationHttp http, TokenClients tokens, @Nullable McpLoginBrowser browser, ClientScheduler time) {
		OAuth2 settings = http.definition().auth().oauth2();
		this.serverName = http.definition().name();
		this.tokens = tokens;
		this.tabs = new RateLimiter(time, 2, TAB_INTERVAL);
		this.browser = (browser != null) ? browser : BrowserLogin::open;
		this.failures = http.failures();
		this.http = http;
		this.file = new TokenFile(StringUtils.hasText(settings.tokenFile()) ? Path.of(settings.tokenFile()) : null,
				http.server().toString());
		TokenFile.Login login = this.file.read();
		// a client is registered with the redirect URI, and stored with it
		String redirectUri = (login.redirectUri() != null) ? login.redirectUri() : freePort();
		this.login = new TokenFile.Login(settings.redirectUri().contains("{") ? redirectUri : settings.redirectUri(),
				login.clients()
					.entrySet()
					.stream()
					.collect(Collectors.toConcurrentMap((known) -> AuthorizationServer.canonical(known.getKey()),
							Map.Entry::getValue, (one, other) -> one)),
				login.refreshToken(), login.client(), login.scopes());
	}

	Map<String, Map<String, Object>> registered() {
		return this.login.clients();
	}

	String redirectUri() {
		return String.valueOf(this.login.redirectUri());
	}

	private static String freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return "http://127.0.0.1:" + socket.getLocalPort() + "/callback";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Obtain a token with the stored refresh token, or else by a login. The response has
	 * no refresh token, as that is stored here.
	 */
	OAuth2AccessTokenResponse request(OAuth2Client client) {
		ClientRegistration registration = client.registration(AuthorizationGrantType.AUTHORIZATION_CODE);
		// a refresh token is sent only to the authorization server that issued it
		String identity = registration.getClientId() + " " + client.tokenUri() + " "
				+ client.registration().getScopes();
		String saved = this.login.refreshToken();
		OAuth2AccessTokenResponse response = null;
		if (saved != null && identity.equals(this.login.client())) {
			OAuth2AccessToken expired = new OAuth2AccessToken(TokenType.BEARER, "expired", null, null,
					this.login.scopes());
			response = this.tokens.refresh(client, new OAuth2AuthorizedClient(registration, this.serverName, expired,
					new OAuth2RefreshToken(saved, null)));
			saved = (response != null) ? saved : null;
		}
		if (response == null) {
			response = login(client, registration);
		}
		OAuth2RefreshToken refreshToken = response.getRefreshToken();
		this.login = new TokenFile.Login(redirectUri(), registered(),
				(refreshToken != null) ? refreshToken.getTokenValue() : saved,
				(refreshToken != null) ? identity : this.login.client(), response.getAccessToken().getScopes());
		this.file.write(this.login);
		return OAuth2AccessTokenResponse.withResponse(response).refreshToken(null).build();
	}

	/**
	 * Let the user log in, but not at each attempt after logins without effect.
	 */
	private OAuth2AccessTokenResponse login(OAuth2Client client, ClientRegistration registration) {
		TransportException failure = this.failure;
		if (!this.tabs.take()) {
			throw (failure != null) ? failure
					: this.failures.of("The server requires another login, soon after the last one", null,
							"The browser opens again after some minutes, or when the application is restarted.");
		}
		try {
			OAuth2AccessTokenResponse response = loginInBrowser(client, registration);
			this.failure = null;
			return response;
		}
		catch (TransportException ex) {
			this.failure = ex;
			throw ex;
		}
	}

	private OAuth2AccessTokenResponse loginInBrowser(OAuth2Client client, ClientRegistration registration) {
		String state = new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), 32).generateKey();
		OAuth2AuthorizationRequest.Builder builder = OAuth2AuthorizationRequest.authorizationCode()
			.authorizationUri(String.valueOf(registration.getProviderDetails().getAuthorizationUri()))
			.clientId(registration.getClientId())
			.redirectUri(redirectUri())
			.scopes(registration.getScopes())
			.state(state);
		client.prepare(builder);
		OAuth2AuthorizationRequest request = builder.build();
		Map<String, String> answer = ask(URI.create(request.getAuthorizationRequestUri()), state);
		client.checkIssuer(answer.get("iss"), this.failures);
		String code = answer.get(OAuth2ParameterNames.CODE);
		if (code == null) {
			throw this.failures.loginRefusal(answer);
		}
		OAuth2AuthorizationExchange exchange = new OAuth2AuthorizationExchange(request,
				OAuth2AuthorizationResponse.success(code).redirectUri(redirectUri()).state(state).build());
		return this.tokens.authorizationCode(client, new OAuth2AuthorizationCodeGrantRequest(registration, exchange));
	}

	/**
	 * Open the browser, and return the parameters of its request to the redirect URI.
	 */
	private Map<String, String> ask(URI url, String state) {
		URI redirect = URI.create(redirectUri());
		CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
		DisposableServer server = null;
		try {
			InetAddress address = InetAddress.getByName(redirect.getHost());
			if (!address.isLoopbackAddress()) {
				throw new IOException("not a URL of this machine");
			}
			// not the HTTP server of the JDK, which logs the code and the state at DEBUG
			server = HttpServer.create()
				.runOn(this.http.eventLoops())
				.accessLog(false)
				.bindAddress(() -> new InetSocketAddress(address, redirect.getPort()))
				.handle((request, response) -> answer(request, response, redirect.getPath(), state, answer))
				.bindNow();
			logger.info(LogMessage.format("MCP server '%s' needs a login. If no browser opens, go to %s",
					this.serverName, url));
			try {
				this.browser.open(this.serverName, url);
			}
			catch (RuntimeException ex) {
				logger.debug("No browser opened", ex);
			}
			return answer.get(MINUTES, TimeUnit.MINUTES);
		}
		catch (IOException | ChannelBindException ex) {
			throw this.failures.of("The login cannot return to " + this.failures.url(redirectUri()),
					String.valueOf(ex.getMessage()), "Correct {auth}.oauth2.redirect-uri.");
		}
		catch (ExecutionException | TimeoutException ex) {
			throw needed(this.failures);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw needed(this.failures);
		}
		finally {
			if (server != null) {
				server.disposeNow();
			}
		}
	}

	/**
	 * Open the browser of the operating system, without a shell.
	 */
	private static void open(String serverName, URI url) {
		String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
		List<String> command = system.startsWith("windows")
				? List.of("rundll32", "url.dll,FileProtocolHandler", url.toString())
				: List.of(system.contains("mac") ? "open" : "xdg-open", url.toString());
		try {
			new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static TransportException needed(Failures failures) {
		return failures.of("The server needs a login", null, "Log in, in the browser or at the URL in the log.");
	}

	private static Mono<Void> answer(HttpServerRequest request, HttpServerResponse response, String path, String state,
			CompletableFuture<Map<String, String>> answer) {
		QueryStringDecoder query = new QueryStringDecoder(request.uri());
		Map<String, String> parameters = TokenAnswer.form(query.rawQuery());
		boolean expected = query.path().equals(path) && state.equals(parameters.get("state"));
		return response.status(expected ? 200 : 400)
			.keepAlive(false)
			.header(HttpHeaders.CONTENT_TYPE, "text/plain;charset=UTF-8")
			.sendString(Mono.just(expected ? "You can close this window now."
					: "This login was not expected, or is over: log in again."))
			.then()
			.doFinally((signal) -> {
				if (expected) {
					answer.complete(parameters);
				}
			});
	}

}
