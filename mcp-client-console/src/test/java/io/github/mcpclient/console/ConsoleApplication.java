package io.github.mcpclient.console;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with the console, on a port of its own, and requests to it that are
 * written by hand.
 */
final class ConsoleApplication implements AutoCloseable {

	static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude=" + Stream
		.of("web.servlet.ServletWebSecurityAutoConfiguration", "web.servlet.SecurityFilterAutoConfiguration",
				"actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
				"web.reactive.ReactiveWebSecurityAutoConfiguration",
				"actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration")
		.map((name) -> "org.springframework.boot.security.autoconfigure." + name)
		.collect(Collectors.joining(","));

	private final ConfigurableApplicationContext context;

	private ConsoleApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ConsoleApplication run(WebApplicationType type, Class<?>[] sources, String... properties) {
		String[] arguments = Stream
			.concat(Stream.of("server.port=0", "spring.main.banner-mode=off", "mcp.startup.wait=30s",
					"spring.reactor.netty.shutdown-quiet-period=0s"), Stream.of(properties))
			.map((property) -> "--" + property)
			.toArray(String[]::new);
		return new ConsoleApplication(
				new SpringApplicationBuilder(Application.class).sources(sources).web(type).run(arguments));
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	int port() {
		return port("server");
	}

	int port(String server) {
		return Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local." + server + ".port"));
	}

	Answer get(String path, String... headers) {
		return send(port(), "GET", "/mcp-console" + path, null, headers);
	}

	Answer post(String path, String body, String... headers) {
		return send(port(), "POST", "/mcp-console" + path, body, writing(headers));
	}

	Answer delete(String path, String... headers) {
		return send(port(), "DELETE", "/mcp-console" + path, null, writing(headers));
	}

	Connection call(String server, String body, String... headers) throws IOException {
		return open("POST", "/api/servers/" + server + "/calls", body, writing(headers));
	}

	static String[] writing(String... headers) {
		return Stream.concat(Stream.of("X-MCP-Console: 1", "Content-Type: application/json"), Stream.of(headers))
			.toArray(String[]::new);
	}

	static Answer send(int port, String method, String path, String body, String... headers) {
		try (Connection connection = open(port, method, path, body, headers)) {
			return connection.answer();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Connection open(String method, String path, String body, String... headers) throws IOException {
		return open(port(), method, "/mcp-console" + path, body, headers);
	}

	/**
	 * Send a request with these headers, which may be given twice: the last one counts.
	 */
	static Connection open(int port, String method, String path, String body, String... headers) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		socket.setSoTimeout(30_000);
		Map<String, String> all = new LinkedHashMap<>();
		all.put("host", "localhost:" + port);
		for (String header : headers) {
			all.put(header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT),
					header.substring(header.indexOf(':') + 1).strip());
		}
		byte[] content = (body != null) ? body.getBytes(StandardCharsets.UTF_8) : new byte[0];
		if (body != null) {
			all.putIfAbsent("content-length", String.valueOf(content.length));
		}
		StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
		all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
		socket.getOutputStream().write(content);
		return new Connection(socket);
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * A connection on which an answer comes.
	 */
	static final class Connection implements AutoCloseable {

		private final Socket socket;

		private final BufferedReader reader;

		private final Map<String, String> headers = new LinkedHashMap<>();

		Connection(Socket socket) throws IOException {
			this.socket = socket;
			this.reader = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
		}

		Socket socket() {
			return this.socket;
		}

		int head() throws IOException {
			String status = line("before an answer came");
			for (String line = line("after " + status); !line.isEmpty(); line = line("after " + this.headers)) {
				this.headers.merge(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
						line.substring(line.indexOf(':') + 1).strip(), (a, b) -> a + "|" + b);
			}
			return Integer.parseInt(status.split(" ")[1]);
		}

		private String line(String when) throws IOException {
			String line = this.reader.readLine();
			if (line == null) {
				throw new EOFException("The connection was closed " + when);
			}
			return line;
		}

		Answer answer() throws IOException {
			int status = head();
			StringBuilder body = new StringBuilder();
			if (this.headers.containsKey("content-length")) {
				int length = Integer.parseInt(this.headers.get("content-length"));
				for (int i = 0; i < length; i++) {
					int c = this.reader.read();
					if (c == -1) {
						break;
					}
					body.append((char) c);
				}
			}
			else if ("chunked".equals(this.headers.get("transfer-encoding"))) {
				for (String chunk = chunk(); chunk != null; chunk = chunk()) {
					body.append(chunk);
				}
			}
			return new Answer(status, this.headers,
					new String(body.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
		}

		/**
		 * Return the next chunk, or {@code null} at the end.
		 */
		String chunk() throws IOException {
			String size = this.reader.readLine();
			if (size == null || size.equals("0")) {
				return null;
			}
			char[] chunk = new char[Integer.parseInt(size, 16)];
			for (int read = 0; read < chunk.length;) {
				int count = this.reader.read(chunk, read, chunk.length - read);
				if (count == -1) {
					return null;
				}
				read += count;
			}
			this.reader.readLine();
			return new String(chunk);
		}

		/**
		 * Return the next event that has data, or {@code null} at the end.
		 */
		Event event() throws IOException {
			StringBuilder text = new StringBuilder();
			for (String chunk = chunk(); chunk != null; chunk = chunk()) {
				text.append(chunk);
				if (text.indexOf(":") == 0) {
					text.setLength(0);
				}
				else if (text.indexOf("\n\n", text.length() - 2) > 0) {
					String[] lines = text.toString().split("\n");
					return new Event(lines[0].substring("event:".length()),
							ConsoleJson.MAPPER.readTree(new String(
									lines[1].substring("data:".length()).getBytes(StandardCharsets.ISO_8859_1),
									StandardCharsets.UTF_8)));
				}
			}
			return null;
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

	}

	record Event(String name, JsonNode data) {
	}

	record Answer(int status, Map<String, String> headers, String body) {

		JsonNode json() {
			return ConsoleJson.MAPPER.readTree(this.body);
		}

		String error() {
			return json().path("error").asString();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
