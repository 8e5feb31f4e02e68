package io.github.mcpclient.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.PatternMatchUtils;
import org.springframework.util.StringUtils;

/**
 * Determines the proxy of a server.
 */
final class ServerProxy {

	private ServerProxy() {
	}

	/**
	 * Return the proxy for a URL, or {@code null} for none. It is not validated yet.
	 */
	static @Nullable Proxy of(McpServerProperties.Proxy values, URI url,
			Function<String, @Nullable String> environment) {
		String host = (url.getHost() != null) ? url.getHost().toLowerCase(Locale.ROOT) : "";
		if (values.host() != null) {
			Integer port = values.port();
			return matches((values.nonProxyHosts() != null) ? values.nonProxyHosts().stream() : Stream.empty(), host)
					? null : new Proxy(values.host(), (port != null) ? port : 0, values.username(), values.password());
		}
		if (!Boolean.TRUE.equals(values.fromEnvironment())) {
			return null;
		}
		String proxy = variable("https".equals(url.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY", environment);
		String direct = variable("NO_PROXY", environment);
		boolean bypassed = matches(
				Stream.of(StringUtils.tokenizeToStringArray(direct, ",")).flatMap(ServerProxy::domain), host);
		return (proxy.isEmpty() || bypassed) ? null : parse(proxy);
	}

	private static boolean matches(Stream<String> patterns, String host) {
		return patterns.anyMatch((pattern) -> PatternMatchUtils.simpleMatch(pattern.toLowerCase(Locale.ROOT), host));
	}

	// a name in NO_PROXY stands for all below it, too, with or without a dot
	private static Stream<String> domain(String name) {
		String domain = name.startsWith(".") ? name.substring(1) : name;
		return Stream.of(domain, "*." + domain);
	}

	private static String variable(String name, Function<String, @Nullable String> environment) {
		return List.of(name, name.toLowerCase(Locale.ROOT))
			.stream()
			.map(environment)
			.filter(StringUtils::hasText)
			.findFirst()
			.orElse("")
			.strip();
	}

	private static Proxy parse(String text) {
		URI uri = McpServerProperties.parsedUrl(text.contains("://") ? text : "http://" + text);
		if (uri == null || uri.getHost() == null) {
			return new Proxy("", 0, null, null);
		}
		String[] user = (uri.getUserInfo() != null) ? uri.getUserInfo().split(":", 2) : new String[0];
		return new Proxy(uri.getHost(), (uri.getPort() != -1) ? uri.getPort() : 80, (user.length > 0) ? user[0] : null,
				(user.length > 1) ? user[1] : null);
	}

}
