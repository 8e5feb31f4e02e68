package io.github.mcpclient.interoperability;

import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.authorization.McpLoginBrowser;

import org.springframework.context.annotation.Bean;

/**
 * An application whose browser logs in without its user.
 */
class Logins {

	private final HttpClient browser = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

	@Bean
	McpLoginBrowser loginBrowser() {
		return (server, url) -> this.browser.sendAsync(HttpRequest.newBuilder(URI.create(url.toString())).build(),
				BodyHandlers.discarding());
	}

	/**
	 * Read a query or a form.
	 */
	static Map<String, String> form(String text) {
		return Stream.of(text.split("&"))
			.map((parameter) -> parameter.split("=", 2))
			.collect(Collectors.toMap((parts) -> parts[0],
					(parts) -> URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
	}

}
