package io.github.mcpclient.internal.transport;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Distinguishes the pages by which a gateway, such as a WAF or a CDN, refuses a client
 * from responses of the server itself.
 */
final class GatewayPage {

	private static final int MAX_LENGTH = 16 * 1024;

	// in responses that a gateway makes itself
	private static final List<String> OF_REFUSALS = List.of("cf-mitigated", "x-amzn-waf-action");

	// in all that passes a gateway
	private static final List<Map.Entry<String, String>> VENDORS = List.of(Map.entry("cf-mitigated", "Cloudflare"),
			Map.entry("cf-ray", "Cloudflare"), Map.entry("x-amzn-waf-action", "AWS WAF"),
			Map.entry("x-amz-cf-id", "CloudFront"), Map.entry("x-iinfo", "Imperva"), Map.entry("x-sucuri-id", "Sucuri"),
			Map.entry("akamai-grn", "Akamai"), Map.entry("x-azure-ref", "Azure Front Door"));

	private static final Pattern VENDOR = Pattern.compile(
			"cloudflare|cloudfront|akamai|incapsula|imperva|sucuri|big-?ip|mod_security", Pattern.CASE_INSENSITIVE);

	private static final Pattern CHALLENGE = Pattern.compile("just a moment\\.\\.\\.|attention required!"
			+ "|checking your browser|you are (?:a )?human|not a robot|captcha|request (?:rejected|unsuccessful|blocked)"
			+ "|request could not be satisfied|web application firewall|mod_security|_incapsula_resource",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern LOGIN = Pattern.compile("type=[\"']?password|\\b(?:log|sign)[ -]?in\\b",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern TITLE = Pattern.compile("<title>([^<]{1,80})", Pattern.CASE_INSENSITIVE);

	// with another status, the URL is wrong or the server is unavailable
	private static final Set<Integer> OF_CLIENT = Set.of(400, 403, 429, 503);

	private GatewayPage() {
	}

	static @Nullable String describe(String peer, int status, Function<String, @Nullable String> headers,
			byte[] content) {
		String body = new String(content, 0, Math.min(content.length, MAX_LENGTH), StandardCharsets.UTF_8);
		String vendor = vendor(headers, body);
		if (OF_REFUSALS.stream().allMatch((name) -> headers.apply(name) == null)
				&& !(isPage(headers) && isRefusal(status, vendor != null, body))) {
			return null;
		}
		Matcher title = TITLE.matcher(body);
		return "A gateway in front of " + peer + ((vendor != null) ? " (" + vendor + ")" : "")
				+ " refused the client: HTTP " + status + (title.find() ? ", \"" + title.group(1).strip() + "\"" : "");
	}

	private static boolean isPage(Function<String, @Nullable String> headers) {
		return String.valueOf(headers.apply("content-type")).toLowerCase(Locale.ROOT).contains("html")
				&& headers.apply("www-authenticate") == null;
	}

	private static boolean isRefusal(int status, boolean vendor, String body) {
		if (status < 300) {
			return CHALLENGE.matcher(body).find() || LOGIN.matcher(body).find();
		}
		return (vendor && OF_CLIENT.contains(status))
				|| ((status == 406 || OF_CLIENT.contains(status)) && CHALLENGE.matcher(body).find());
	}

	private static @Nullable String vendor(Function<String, @Nullable String> headers, String body) {
		for (Map.Entry<String, String> vendor : VENDORS) {
			if (headers.apply(vendor.getKey()) != null) {
				return vendor.getValue();
			}
		}
		Matcher named = VENDOR.matcher(headers.apply("server") + " " + headers.apply("x-cdn") + " " + body);
		return named.find() ? named.group() : null;
	}

}
