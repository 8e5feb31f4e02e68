package io.github.mcpclient.internal.transport;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.internal.support.Secrets;

/**
 * The headers of a request in addition to the configured ones, by their names in any
 * case. Their values are not printed.
 *
 * @param provided the headers of providers
 * @param authorization the headers of an authorizer, which take precedence
 */
public record RequestHeaders(Map<String, String> provided, Map<String, String> authorization) {

	/**
	 * No headers.
	 */
	public static final RequestHeaders NONE = new RequestHeaders(Map.of(), Map.of());

	/**
	 * Merge headers, of which the first of a name wins. They are not validated.
	 */
	static Map<String, String> merge(List<Map<String, String>> all) {
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		// a name that is null is refused like an empty one
		all.forEach((some) -> some.forEach((name, value) -> headers.putIfAbsent((name != null) ? name : "", value)));
		return Collections.unmodifiableMap(headers);
	}

	/**
	 * Return the credentials in the headers of requests, which no text of the server may
	 * show.
	 */
	public static Secrets credentials(Stream<RequestHeaders> all) {
		Secrets.Builder secrets = Secrets.builder();
		all.filter((headers) -> headers != NONE).distinct().forEach((headers) -> {
			headers.authorization.values().forEach(secrets::credential);
			headers.provided.forEach((name, value) -> {
				// values of other headers, such as a user's name, may occur in legitimate
				// texts
				if (HttpHeaderValidator.isCredential(name)) {
					secrets.credential(value);
				}
			});
		});
		return secrets.build();
	}

	@Override
	public String toString() {
		return "RequestHeaders" + this.provided.keySet() + this.authorization.keySet();
	}

}
