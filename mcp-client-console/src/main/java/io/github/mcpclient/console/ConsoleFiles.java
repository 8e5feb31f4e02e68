package io.github.mcpclient.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.util.DigestUtils;

/**
 * The files of the page. Only files of the module are served.
 */
final class ConsoleFiles {

	static final String LOCATION = "io/github/mcpclient/console/";

	static final String PAGE = "console.html";

	private static final Map<String, MediaType> TYPES = Map.of("html",
			MediaType.parseMediaType("text/html;charset=UTF-8"), "css",
			MediaType.parseMediaType("text/css;charset=UTF-8"), "js",
			MediaType.parseMediaType("text/javascript;charset=UTF-8"), "svg",
			MediaType.parseMediaType("image/svg+xml"));

	private final Map<String, ConsoleFile> files = new LinkedHashMap<>();

	ConsoleFiles() {
		try {
			for (Resource resource : new PathMatchingResourcePatternResolver(ConsoleFiles.class.getClassLoader())
				.getResources("classpath*:" + LOCATION + "*.*")) {
				String name = String.valueOf(resource.getFilename());
				MediaType type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
				if (type != null) {
					byte[] content = resource.getContentAsByteArray();
					this.files.put(name,
							new ConsoleFile(type, content, "\"" + DigestUtils.md5DigestAsHex(content) + "\""));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The files of the console cannot be read", ex);
		}
	}

	@Nullable ConsoleFile find(String name) {
		return this.files.get(name);
	}

	/**
	 * A file, and its entity tag.
	 */
	record ConsoleFile(MediaType type, byte[] content, String tag) {

		Mono<Void> write(ConsoleExchange exchange) {
			HttpHeaders headers = exchange.response().getHeaders();
			// the browser revalidates, since another application may use the same address
			headers.setCacheControl("private, no-cache");
			headers.setETag(this.tag);
			if (exchange.request().getHeaders().getIfNoneMatch().contains(this.tag)) {
				exchange.response().setStatusCode(HttpStatus.NOT_MODIFIED);
				return exchange.response().setComplete();
			}
			headers.setContentType(this.type);
			headers.setContentLength(this.content.length);
			return exchange.response()
				.writeWith(Mono.fromSupplier(() -> exchange.response().bufferFactory().wrap(this.content)));
		}

	}

}
