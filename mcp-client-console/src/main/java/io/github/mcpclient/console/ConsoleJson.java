package io.github.mcpclient.console;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * JSON as Actuator writes it, except that null is retained in results and schemas. The
 * mapper is independent of the application's.
 */
final class ConsoleJson {

	static final MediaType TYPE = MediaType.parseMediaType("application/json;charset=UTF-8");

	static final JsonMapper MAPPER = JsonMapper.builder()
		.changeDefaultPropertyInclusion((value) -> value.withValueInclusion(Include.NON_NULL))
		.build();

	private ConsoleJson() {
	}

	static byte[] bytes(Object value) {
		return MAPPER.writeValueAsBytes(value);
	}

	static Mono<Void> write(ServerHttpResponse response, Object value) {
		return write(response, bytes(value));
	}

	static Mono<Void> write(ServerHttpResponse response, byte[] json) {
		response.getHeaders().setContentType(TYPE);
		response.getHeaders().setContentLength(json.length);
		DataBuffer body = response.bufferFactory().wrap(json);
		return response.writeWith(Mono.just(body));
	}

	/**
	 * Return a server-sent event. JSON has no line breaks.
	 */
	static byte[] event(String name, byte[] json) {
		ByteArrayOutputStream event = new ByteArrayOutputStream(json.length + name.length() + 20);
		event.writeBytes(("event:" + name + "\ndata:").getBytes(StandardCharsets.UTF_8));
		event.writeBytes(json);
		event.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
		return event.toByteArray();
	}

}
