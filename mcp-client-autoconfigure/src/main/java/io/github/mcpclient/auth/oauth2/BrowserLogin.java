package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.mcpclient.McpLoginBrowser;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.TransportException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
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
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Logs the user of this machine in: the browser comes back to a port of the loopback
 * interface, open for as long as that takes. The refresh token is kept in a file, with
 * the client that it is for.
 */
final class BrowserLogin implements ServerTokens.Grant {

	private static final int MINUTES = 5;

	private static final String REDIRECT_URI = "redirect_uri";

	private static final String REFRESH_TOKEN = "refresh_token";

	private static final String CLIENTS = "clients";

	private static final String CLIENT_ID = "client_id";

	private static final Log logger = LogFactory.getLog(BrowserLogin.class);

	private final String serverName;

	private final TokenClients tokens;

	private final McpLoginBrowser browser;

	private final Failures failures;

	private final @Nullable TokenFile file;

	private final Map<String, Object> saved;

	private final Map<String, Map<String, Object>> registered;

	private final String redirectUri;

	@SuppressWarnings("unchecked")
	BrowserLogin(McpServerDefinition definition, TokenClients tokens, @Nullable McpLoginBrowser browser,
			Failures failures) {
		this.serverName = definition.name();
		this.tokens = tokens;
		this.browser = (browser != null) ? browser : BrowserLogin::open;
		this.failures = failures;
		this.file = TokenFile.of(definition);
		this.saved = new LinkedHashMap<>((this.file != null) ? this.file.read() : Map.of());
		// a client is registered with the redirect uri, and kept with it
		this.registered = new ConcurrentHashMap<>();
		if (this.saved.put(CLIENTS, this.registered) instanceof Map<?, ?> clients) {
			this.registered.putAll((Map<String, Map<String, Object>>) clients);
		}
		String configured = definition.auth().oauth2().redirectUri();
		this.redirectUri = configured.contains("{")
				? (String) this.saved.computeIfAbsent(REDIRECT_URI, (key) -> freePort()) : configured;
	}

	Map<String, Map<String, Object>> registered() {
		return this.registered;
	}

	String redirectUri() {
		return this.redirectUri;
	}

	private static String freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return "http://127.0.0.1:" + socket.getLocalPort() + "/callback";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public OAuth2AccessToken request(OAuth2Client client) {
		ClientRegistration registration = client.registration(AuthorizationGrantType.AUTHORIZATION_CODE);
		OAuth2AccessTokenResponse response = refresh(client, registration);
		if (response == null) {
			response = login(client, registration);
		}
		OAuth2RefreshToken refreshToken = response.getRefreshToken();
		if (refreshToken != null) {
			this.saved.put(REFRESH_TOKEN, refreshToken.getTokenValue());
			this.saved.put(CLIENT_ID, identity(client));
		}
		if (this.file != null) {
			this.file.write(this.saved);
		}
		return response.getAccessToken();
	}

	/**
	 * Whom a refresh token is for: it reaches no other authorization server.
	 */
	private static String identity(OAuth2Client client) {
		return client.registration().getClientId() + " " + client.tokenUri() + " " + client.scopes();
	}

	private @Nullable OAuth2AccessTokenResponse refresh(OAuth2Client client, ClientRegistration registration) {
		if (!(this.saved.get(REFRESH_TOKEN) instanceof String refreshToken)
				|| !identity(client).equals(this.saved.get(CLIENT_ID))) {
			return null;
		}
		OAuth2AccessToken expired = new OAuth2AccessToken(TokenType.BEARER, "expired", null, null);
		OAuth2AccessTokenResponse response = this.tokens.refresh(client, registration, expired,
				new OAuth2RefreshToken(refreshToken, null));
		if (response == null) {
			this.saved.remove(REFRESH_TOKEN);
		}
		return response;
	}

	private OAuth2AccessTokenResponse login(OAuth2Client client, ClientRegistration registration) {
		String state = new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), 32).generateKey();
		OAuth2AuthorizationRequest.Builder builder = OAuth2AuthorizationRequest.authorizationCode()
			.authorizationUri(String.valueOf(registration.getProviderDetails().getAuthorizationUri()))
			.clientId(registration.getClientId())
			.redirectUri(this.redirectUri)
			.scopes(registration.getScopes())
			.state(state);
		client.prepare(builder);
		OAuth2AuthorizationRequest request = builder.build();
		Map<String, String> answer = ask(URI.create(request.getAuthorizationRequestUri()), state);
		client.checkIssuer(answer.get("iss"), this.failures);
		String code = answer.get(OAuth2ParameterNames.CODE);
		if (code == null) {
			throw this.failures.of("The login was refused", String.valueOf(answer.get(OAuth2ParameterNames.ERROR)),
					"Log in again, and grant what is asked for.");
		}
		OAuth2AuthorizationExchange exchange = new OAuth2AuthorizationExchange(request,
				OAuth2AuthorizationResponse.success(code).redirectUri(this.redirectUri).state(state).build());
		return this.tokens.request(this.tokens.configure(new RestClientAuthorizationCodeTokenResponseClient(), client),
				new OAuth2AuthorizationCodeGrantRequest(registration, exchange));
	}

	/**
	 * Opens the browser, and returns the parameters with which it comes back.
	 */
	private Map<String, String> ask(URI url, String state) {
		URI redirect = URI.create(this.redirectUri);
		CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
		HttpServer server = null;
		try {
			InetAddress address = InetAddress.getByName(redirect.getHost());
			if (!address.isLoopbackAddress()) {
				throw new IOException("not a url of this machine");
			}
			server = HttpServer.create(new InetSocketAddress(address, redirect.getPort()), 0);
			server.createContext("/", (exchange) -> answer(exchange, redirect.getPath(), state, answer));
			server.start();
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
		catch (IOException ex) {
			throw this.failures.of("The login cannot return to " + this.failures.url(this.redirectUri),
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
				server.stop(0);
			}
		}
	}

	/**
	 * Opens the browser of the operating system, without a shell.
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
		return failures.of("The server needs a login", null, "Log in, in the browser or at the url in the log.");
	}

	private static void answer(HttpExchange exchange, String path, String state,
			CompletableFuture<Map<String, String>> answer) throws IOException {
		Map<String, String> parameters = new LinkedHashMap<>();
		UriComponentsBuilder.fromUri(exchange.getRequestURI())
			.build()
			.getQueryParams()
			.forEach((name, values) -> parameters.put(name, OAuth2Client.decode(values.get(0))));
		boolean expected = exchange.getRequestURI().getPath().equals(path) && state.equals(parameters.get("state"));
		byte[] page = (expected ? "You can close this window now." : "Nobody waits for this login.")
			.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=UTF-8");
		exchange.sendResponseHeaders(expected ? 200 : 400, page.length);
		exchange.getResponseBody().write(page);
		exchange.close();
		if (expected) {
			answer.complete(parameters);
		}
	}

}
