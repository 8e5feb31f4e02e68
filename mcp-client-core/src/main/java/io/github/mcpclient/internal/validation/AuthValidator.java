package io.github.mcpclient.internal.validation;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.internal.support.Loopback;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Validates the authorization of a server. The messages contain no values, which may be
 * secret.
 */
record AuthValidator(McpServerDefinition definition, Set<String> types, BiConsumer<String, String> reject) {

	private static final String AUTHORIZATION = "Authorization";

	private static final Pattern BEARER_TWICE = Pattern.compile("\\s*bearer\\s", Pattern.CASE_INSENSITIVE);

	private static final List<String> BUILT_IN = List.of(McpServerAuth.NONE, McpServerAuth.BEARER, McpServerAuth.BASIC);

	/**
	 * Return why a type is invalid, or {@code null} if it is valid.
	 * @param others the types in addition to the built-in ones
	 */
	static @Nullable String problem(String type, Set<String> others) {
		Set<String> types = new LinkedHashSet<>(BUILT_IN);
		types.addAll(new TreeSet<>(others));
		if (types.contains(type)) {
			return null;
		}
		if (type.equals(McpServerAuth.OAUTH2)) {
			return "OAuth 2.0 needs a module that is not on the class path. Add the dependency "
					+ "io.github.mcpclient:mcp-client-oauth2. Only if users log in to the application, add "
					+ "org.springframework.boot:spring-boot-starter-security-oauth2-client, too, which secures all of "
					+ "its pages.";
		}
		List<String> nearest = NearestNames.of(type, types);
		return "There is no such type of authorization, nor an McpAuthorizer bean of that name. "
				+ (nearest.isEmpty() ? "" : "Did you mean " + nearest.get(0) + "? ") + "The types are "
				+ String.join(", ", types) + ".";
	}

	void check() {
		McpServerAuth auth = this.definition.auth();
		Http http = this.definition.http();
		if (http == null || auth.type().equals(McpServerAuth.NONE)) {
			return;
		}
		http.headers()
			.keySet()
			.stream()
			.filter(AUTHORIZATION::equalsIgnoreCase)
			.forEach((name) -> reject("headers" + PropertyNames.suffix(name), "The requests are authorized by auth ("
					+ auth.type() + "), too. Remove this header, or set auth.type to none."));
		String problem = problem(auth.type(), this.types);
		if (problem != null) {
			reject("auth.type", problem);
		}
		checkInsecure(http.url(), auth);
		switch (auth.type()) {
			case McpServerAuth.BEARER -> checkBearer(auth);
			case McpServerAuth.BASIC -> checkBasic(auth);
			case McpServerAuth.OAUTH2 -> checkOAuth2(auth.oauth2());
		}
	}

	private void checkInsecure(URI url, McpServerAuth auth) {
		boolean plain = "http".equalsIgnoreCase(url.getScheme()) || "ws".equalsIgnoreCase(url.getScheme());
		if (plain && !Loopback.is(url) && !auth.allowInsecure()) {
			reject("url",
					"The credentials of auth (" + auth.type() + ") would be sent unencrypted. Use https:// or wss://, "
							+ "or set auth.allow-insecure to true if the network is trusted.");
		}
	}

	private void checkBearer(McpServerAuth auth) {
		String token = auth.bearer().token();
		if (token != null && BEARER_TWICE.matcher(token).lookingAt()) {
			reject("auth.bearer.token",
					"The token begins with the word Bearer, which is sent before it. Remove the word.");
			return;
		}
		String problem = StringUtils.hasText(token) ? HttpHeaderValidator.problem(AUTHORIZATION, token)
				: "Authorization of type bearer needs a token.";
		if (problem != null) {
			reject("auth.bearer.token", problem);
		}
	}

	private void checkBasic(McpServerAuth auth) {
		if (!StringUtils.hasText(auth.basic().username())) {
			reject("auth.basic.username", "Authorization of type basic needs a username.");
		}
		else if (auth.basic().username().indexOf(':') != -1) {
			reject("auth.basic.username", "The username must not contain a colon.");
		}
	}

	private void checkOAuth2(OAuth2 oauth2) {
		if (oauth2.clockSkew().isNegative()) {
			reject("auth.oauth2.clock-skew", "The duration must not be negative.");
		}
		if (oauth2.privateKey() != null && oauth2.privateKeyBundle() != null) {
			reject("auth.oauth2.private-key-bundle", "private-key is set as well. Remove one of them.");
		}
		if (!oauth2.dpop() && oauth2.dpopKeyBundle() != null) {
			reject("auth.oauth2.dpop-key-bundle",
					"The key is only used with dpop, which is disabled. Set dpop to true, or remove the key.");
		}
		if (oauth2.dpop() && McpServerDefinition.WEBSOCKET.equals(this.definition.type())) {
			reject("auth.oauth2.dpop", "There is no DPoP over WebSocket. Use streamable HTTP, or remove this.");
		}
		boolean provider = oauth2.identityProvider() != null;
		if ((oauth2.grantType() == GrantType.JWT_BEARER) ? provider == (oauth2.assertionFile() != null)
				: provider || oauth2.assertionFile() != null) {
			reject("auth.oauth2." + (provider ? "identity-provider" : "assertion-file"),
					"Grant type jwt-bearer needs one of assertion-file and identity-provider;"
							+ " other grant types use neither.");
		}
		if (oauth2.registrationId() != null) {
			Map<String, @Nullable Object> others = new LinkedHashMap<>();
			others.put("issuer-uri", oauth2.issuerUri());
			others.put("token-uri", oauth2.tokenUri());
			others.put("authorization-uri", oauth2.authorizationUri());
			others.put("client-id", oauth2.clientId());
			others.put("client-secret", oauth2.clientSecret());
			others.put("client-authentication-method", oauth2.clientAuthenticationMethod());
			others.put("client-metadata-uri", oauth2.clientMetadataUri());
			others.forEach((name, value) -> {
				if (value != null) {
					reject("auth.oauth2." + name,
							"The client registration of registration-id defines this setting. Remove one of them.");
				}
			});
		}
	}

	private void reject(String setting, String message) {
		this.reject.accept(setting, message);
	}

}
