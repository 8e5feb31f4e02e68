package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.ClientCookieEncoder;
import io.netty.handler.codec.http.cookie.Cookie;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClientRequest;

/**
 * The cookies of one session (RFC 6265), which load balancers set that send its requests
 * to the same node. They are sent to the host that has set them. A transport has one
 * origin, and so has its jar; it is of the application, or of one user.
 */
final class CookieJar {

	private static final int MAX_COOKIES = 20;

	private static final int MAX_LENGTH = 4096;

	private final Scheduler timer;

	// by name and path
	private final Map<String, Kept> cookies = new ConcurrentHashMap<>();

	private volatile @Nullable RequestHeaders sent;

	CookieJar(Scheduler timer) {
		this.timer = timer;
	}

	/**
	 * Store the cookies of a response. Cookies of a caller are not for the requests of
	 * others, so they are ignored unless the client sends the same headers by itself.
	 * @param request the headers of the request
	 * @param ofCaller whether the headers may belong to one caller among others
	 */
	void keep(URI uri, HttpHeaders response, RequestHeaders request, boolean ofCaller) {
		if (!ofCaller) {
			this.sent = request;
		}
		List<String> headers = response.getAll(HttpHeaderNames.SET_COOKIE);
		if (!headers.isEmpty() && request.equals(this.sent)) {
			headers.forEach((header) -> keep(uri, header));
			this.cookies.values().removeIf((kept) -> kept.end <= now());
		}
	}

	private void keep(URI uri, String header) {
		Cookie cookie = (header.length() <= MAX_LENGTH) ? ClientCookieDecoder.LAX.decode(header) : null;
		if (cookie != null && isOfHost(cookie, uri) && (!cookie.isSecure() || HttpUris.isSecure(uri))) {
			String path = path(cookie, uri);
			String key = cookie.name() + ";" + path;
			if (this.cookies.size() < MAX_COOKIES || this.cookies.containsKey(key)) {
				boolean ends = cookie.maxAge() != Cookie.UNDEFINED_MAX_AGE && cookie.maxAge() < Integer.MAX_VALUE;
				this.cookies.put(key, new Kept(cookie, path, ends ? now() + cookie.maxAge() : Long.MAX_VALUE));
			}
		}
	}

	private long now() {
		return this.timer.now(TimeUnit.SECONDS);
	}

	private static boolean isOfHost(Cookie cookie, URI uri) {
		String host = uri.getHost().toLowerCase(Locale.ROOT);
		String domain = (cookie.domain() != null) ? cookie.domain().toLowerCase(Locale.ROOT) : host;
		return host.equals(domain) || host.endsWith(domain.startsWith(".") ? domain : "." + domain);
	}

	// the default is the directory
	private static String path(Cookie cookie, URI uri) {
		if (cookie.path() != null && cookie.path().startsWith("/")) {
			return cookie.path();
		}
		return uri.getRawPath().substring(0, Math.max(uri.getRawPath().lastIndexOf('/'), 0)) + "/";
	}

	/**
	 * Add the cookies to a request, after the cookies that it has.
	 */
	void addTo(HttpClientRequest request) {
		URI uri = URI.create(request.resourceUrl());
		List<Cookie> cookies = this.cookies.values()
			.stream()
			.filter((kept) -> kept.end > now() && kept.isFor(uri))
			.map(Kept::cookie)
			.toList();
		if (!cookies.isEmpty()) {
			String own = request.requestHeaders().get(HttpHeaderNames.COOKIE);
			request.header(HttpHeaderNames.COOKIE,
					((own != null) ? own + "; " : "") + ClientCookieEncoder.LAX.encode(cookies));
		}
	}

	/**
	 * Return the values, which no text of the server may show.
	 */
	Secrets secrets() {
		Secrets.Builder secrets = Secrets.builder();
		this.cookies.values().forEach((kept) -> secrets.credential(kept.cookie.value()));
		return secrets.build();
	}

	/**
	 * A cookie.
	 *
	 * @param end when it expires, in seconds
	 */
	private record Kept(Cookie cookie, String path, long end) {

		private boolean isFor(URI uri) {
			String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
			boolean below = path.startsWith(this.path) && (path.length() == this.path.length()
					|| this.path.endsWith("/") || path.charAt(this.path.length()) == '/');
			return below && (!this.cookie.isSecure() || HttpUris.isSecure(uri));
		}

	}

}
