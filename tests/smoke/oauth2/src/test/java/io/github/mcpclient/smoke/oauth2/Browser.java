package io.github.mcpclient.smoke.oauth2;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;

/**
 * A user at a browser, who logs in wherever a page asks for it.
 */
final class Browser {

	private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");

	private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);

	private final HttpClient client = HttpClient.newBuilder()
		.cookieHandler(this.cookies)
		.followRedirects(HttpClient.Redirect.NORMAL)
		.build();

	private final String user;

	Browser(String user) {
		this.user = user;
	}

	/**
	 * Open a page, and log in until it is there.
	 */
	HttpResponse<String> open(String url) {
		HttpResponse<String> page = send(get(url));
		for (int logins = 0; page.uri().getPath().equals("/login") && logins < 2; logins++) {
			page = submit(page, "username=" + this.user + "&password=" + AuthorizationServer.PASSWORD);
		}
		return page;
	}

	/**
	 * The status with which a page is answered, without going where it leads to.
	 */
	int status(String url) {
		return sendOnce(get(url)).statusCode();
	}

	private static HttpRequest get(String url) {
		return HttpRequest.newBuilder(URI.create(url)).header("Accept", "text/html, */*;q=0.1").build();
	}

	private HttpResponse<String> sendOnce(HttpRequest request) {
		return send(HttpClient.newBuilder().cookieHandler(this.cookies).build(), request);
	}

	/**
	 * Log in for another application, and return the access token that it gets.
	 */
	String token(AuthorizationServer server, String audience) {
		String verifier = "v".repeat(43);
		String client = "client_id=" + AuthorizationServer.CLIENT_ID + "&client_secret="
				+ AuthorizationServer.CLIENT_SECRET + "&redirect_uri=" + AuthorizationServer.REDIRECT_URI;
		open(server.issuer() + "/login");
		HttpResponse<String> redirect = sendOnce(get(server.issuer() + "/oauth2/authorize?response_type=code&" + client
				+ "&scope=mcp:read&resource=" + audience + "&code_challenge_method=S256&code_challenge="
				+ CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(verifier))));
		String code = redirect.headers().firstValue("Location").orElseThrow().replaceFirst(".*code=([^&]*).*", "$1");
		HttpResponse<String> tokens = send(HttpRequest.newBuilder(URI.create(server.issuer() + "/oauth2/token"))
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(HttpRequest.BodyPublishers
				.ofString("grant_type=authorization_code&code_verifier=" + verifier + "&code=" + code + "&" + client))
			.build());
		return tokens.body().replaceFirst(".*\"access_token\":\"([^\"]+)\".*", "$1");
	}

	/**
	 * Submit the form of a page.
	 */
	HttpResponse<String> submit(HttpResponse<String> page, String fields) {
		Matcher csrf = CSRF.matcher(page.body());
		String token = csrf.find() ? "&_csrf=" + URLEncoder.encode(csrf.group(1), StandardCharsets.UTF_8) : "";
		return send(HttpRequest.newBuilder(page.uri().resolve(page.uri().getPath()))
			.header("Content-Type", "application/x-www-form-urlencoded")
			.header("Accept", "text/html")
			.POST(HttpRequest.BodyPublishers.ofString(fields + token))
			.build());
	}

	private HttpResponse<String> send(HttpRequest request) {
		return send(this.client, request);
	}

	private static HttpResponse<String> send(HttpClient client, HttpRequest request) {
		try {
			return client.send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException("No answer of " + request.uri(), ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
