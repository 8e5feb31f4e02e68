package io.github.mcpclient.auth.oauth2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.util.StringUtils;

/**
 * The response of a token endpoint: a token or an error (RFC 6749, section 5), also in
 * another form if it has only one possible meaning.
 *
 * @param members the members of RFC 6749; {@code null} if the response has no members
 * @param text the response if it is not JSON, is short and is not a web page
 * @param deviations how the form of a token differs
 */
record TokenAnswer(int status, @Nullable Map<String, Object> members, @Nullable String text, List<String> deviations) {

	static final String INVALID_TARGET = "invalid_target";

	private static final String TOKEN = "access_token";

	private static final String TYPE = "token_type";

	private static final String SCOPE = "scope";

	private static final int MAX_TEXT = 4096;

	private static final List<String> CODES = List.of("error", "error_code", "errorCode", "code");

	private static final List<String> TEXTS = List.of("error_description", "errorDescription", "errorSummary",
			"message", "msg", "detail");

	// token types of Slack, which name the owner of a token and not how it is sent
	private static final Set<String> OWNERS = Set.of("user", "bot");

	private static final Pattern JSON = Pattern.compile("(?i)application/([^,;\\s+]++\\+)?json\\s*+(;.*+)?");

	// errors, after the status, that mean that the client is not accepted
	private static final Pattern OF_CLIENT = Pattern
		.compile("(?is)\\d++ (invalid|bad|incorrect|unknown)_client(_id|_secret|_credentials)?(?![^ ])"
				+ "|401 (401|unauthorized(_client)?)(?![^ ])(?!.*refresh)");

	// that the resource is not accepted, including the texts of Microsoft Entra and
	// Auth0, whose
	// codes vary
	private static final Pattern OF_RESOURCE = Pattern.compile(
			"(?i)invalid_(target|resource)|AADSTS(9010010|901002)|resource'? (request )?parameter|Service not found");

	// that the scopes are not, or the way to the token endpoint, or that it has no time
	private static final Pattern OF_REQUEST = Pattern.compile("^(404|405|407|408|413|429|5\\d\\d) |invalid_scope"
			+ "|unavailable|server_error|internal|fatal|slow_down|rate_?limit|too_many|timeout|forbidden");

	private static final Pattern OF_GRANT = Pattern.compile(
			"^(?:40[01] |\\d++ (?=\\w*(?:token|grant|denied|revoked|expired)))[a-z][a-z0-9_]++(?![^ ])|(?i)refresh[ _]?token");

	static TokenAnswer of(AuthorizationHttp.Response response) {
		List<String> deviations = new ArrayList<>();
		Map<String, Object> members = AuthorizationHttp.json(response.body());
		String body = (response.body().length <= MAX_TEXT) ? new String(response.body(), StandardCharsets.UTF_8).strip()
				: "<";
		String type = String.valueOf(response.headers().getFirst(HttpHeaders.CONTENT_TYPE));
		Map<String, String> form = (members == null && !body.startsWith("<")) ? form(body) : Map.of();
		if (form.containsKey(TOKEN) || form.containsKey("error")) {
			members = new LinkedHashMap<>(form);
			deviations.add("a form instead of JSON");
		}
		else if (!JSON.matcher(type).matches()) {
			deviations.add("content type " + type);
		}
		if (members != null) {
			complete(members, deviations);
		}
		return new TokenAnswer(response.status().value(), members, body.startsWith("<") ? null : body, deviations);
	}

	static Map<String, String> form(String text) {
		Map<String, String> form = new LinkedHashMap<>();
		try {
			new QueryStringDecoder(text, false).parameters().forEach((name, values) -> form.put(name, values.get(0)));
		}
		catch (IllegalArgumentException ex) {
			// another text
		}
		return form;
	}

	/**
	 * Complete members with one token, here or in a nested object.
	 */
	private static void complete(Map<String, Object> members, List<String> deviations) {
		List<Map.Entry<String, Object>> nested = members.entrySet()
			.stream()
			.filter((member) -> member.getValue() instanceof Map<?, ?> inner && inner.get(TOKEN) instanceof String)
			.toList();
		if (!(members.get(TOKEN) instanceof String) && nested.size() == 1) {
			deviations.add(TOKEN + " within " + nested.get(0).getKey());
			((Map<?, ?>) nested.get(0).getValue()).forEach((name, value) -> members.put(String.valueOf(name), value));
		}
		Object type = members.get(TYPE);
		if (!(type instanceof String given) || given.isBlank() || OWNERS.contains(given)) {
			members.put(TYPE, "Bearer");
			deviations.add(TYPE + " " + type);
		}
		if (members.get(SCOPE) instanceof List<?> scopes) {
			members.put(SCOPE, scopes.stream().map(String::valueOf).collect(Collectors.joining(" ")));
			deviations.add(SCOPE + " as a list");
		}
	}

	boolean isRefusal() {
		return this.status >= 300 || (this.members != null && !(this.members.get(TOKEN) instanceof String)
				&& (said(CODES) != null || said(TEXTS) != null));
	}

	String code() {
		String code = said(CODES);
		return (code != null) ? code : String.valueOf(this.status);
	}

	/**
	 * Return the text of an error: untrusted text that may repeat the request.
	 */
	String quote() {
		String more = (this.members == null) ? this.text : said(TEXTS);
		return StringUtils.hasText(more) ? code() + " (" + more + ")" : code();
	}

	private @Nullable String said(List<String> names) {
		Map<String, Object> all = new LinkedHashMap<>((this.members != null) ? this.members : Map.of());
		if (all.get("error") instanceof Map<?, ?> error) {
			error.forEach((name, value) -> all.put(String.valueOf(name), value));
		}
		return names.stream()
			.map((name) -> (all.get(name) instanceof String said) ? said : "")
			.filter(StringUtils::hasText)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the meaning of the error code. A refresh token is refused permanently,
	 * except by a gateway, or if the error is about the client, the request, or is
	 * temporary.
	 */
	String meaning() {
		String said = this.status + " " + quote();
		if (OF_CLIENT.matcher(said).lookingAt()) {
			return OAuth2ErrorCodes.INVALID_CLIENT;
		}
		if (OF_RESOURCE.matcher(said).find()) {
			return INVALID_TARGET;
		}
		boolean page = this.members == null && this.text == null;
		boolean ofGrant = this.status < 300 || OF_GRANT.matcher(said).find() || (this.status == 400 && !page);
		return (ofGrant && !OF_REQUEST.matcher(this.status + " " + code()).find()) ? OAuth2ErrorCodes.INVALID_GRANT
				: code();
	}

}
