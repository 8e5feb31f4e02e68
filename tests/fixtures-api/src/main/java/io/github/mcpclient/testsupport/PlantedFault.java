package io.github.mcpclient.testsupport;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;

/**
 * A server that cannot be used, for one reason each, which a check of it finds at one
 * step. What is planted ends with the test.
 */
public enum PlantedFault {

	DISABLED(StepKind.CONFIGURATION, "The server is disabled", "enabled",
			(name, directory) -> http(name, "http://localhost:9/mcp").enabled(false)),

	UNKNOWN_HOST(StepKind.DNS, "Unknown host: nowhere.invalid", "url",
			(name, directory) -> http(name, "http://nowhere.invalid/mcp")),

	CLOSED_PORT(StepKind.TCP, "Connection refused", "url",
			(name, directory) -> http(name, "http://localhost:" + Peers.freePort() + "/mcp")),

	SELF_SIGNED(StepKind.TLS, "CN=self-signed until ", "ssl.bundle", (name, directory) -> {
		Certificates certificates = new Certificates(directory);
		certificates.create("self-signed");
		return secure(name, certificates, "self-signed");
	}),

	EXPIRED(StepKind.TLS, "CN=expired until ", "renew", (name, directory) -> {
		Certificates certificates = new Certificates(directory);
		certificates.createSigned("expired", "localhost", "-10d");
		return secure(name, certificates, "expired").sslBundle("expired");
	}),

	WRONG_NAME(StepKind.TLS, "CN=wrong-name until ", "url", (name, directory) -> {
		Certificates certificates = new Certificates(directory);
		certificates.createSigned("wrong-name", "elsewhere.example", "-1d");
		return secure(name, certificates, "wrong-name").sslBundle("wrong-name");
	}),

	NOT_FOUND(StepKind.HTTP, "HTTP 404", "url", (name, directory) -> answering(name, McpTestReply.status(404))),

	UNAVAILABLE(StepKind.HTTP, "HTTP 503", "gateway", (name, directory) -> answering(name, McpTestReply.status(503))),

	REDIRECT(StepKind.REDIRECT, "The server redirects to https://login.example", "url",
			(name, directory) -> answering(name,
					McpTestReply.status(302).withHeader("Location", "https://login.example/start?x=y"))),

	LOGIN_PAGE(StepKind.CONTENT_TYPE, "A gateway in front of the server refused the client", "url",
			(name, directory) -> answering(name, McpTestReply.status(200).body("text/html", "<html>Log in</html>"))),

	NOT_MCP(StepKind.PROTOCOL, "not a JSON-RPC message", "MCP server",
			(name, directory) -> answering(name,
					McpTestReply.status(200).body("application/json", "{\"status\": \"UP\"}"))),

	UNAUTHORIZED(StepKind.TOKEN, "HTTP 401", "auth.oauth2.client-id",
			(name, directory) -> answering(name, McpTestReply.status(401)
				.withHeader("WWW-Authenticate", "Bearer resource_metadata=\"http://localhost/.well-known/x\""))),

	SILENT(StepKind.INITIALIZE, "No response to server/discover or initialize within 1000 ms", "initialization-timeout",
			(name, directory) -> {
				ServerSocket silent = TestDefaults.closing(new ServerSocket(0, 50, InetAddress.getByName("localhost")));
				return http(name, "http://localhost:" + silent.getLocalPort() + "/mcp")
					.initializationTimeout(Duration.ofSeconds(1));
			}),

	LISTING(StepKind.LISTING, "The server refused tools/list with error -32603: out of order", "log",
			(name, directory) -> {
				McpTestServer server = TestDefaults.closing(McpTestServer.create()
					.tools("hello")
					.on("tools/list", McpTestReply.error(-32603, "out of order"))
					.start());
				return http(name, server.url());
			}),

	MISSING_COMMAND(StepKind.EXECUTABLE, "no such executable on the PATH", "command",
			(name, directory) -> McpServerDefinition.stdio(name, "no-such-executable-here")),

	NOT_EXECUTABLE(StepKind.EXECUTABLE, "permission denied", "executable",
			(name, directory) -> McpServerDefinition.stdio(name,
					Files.writeString(directory.resolve("script"), "#!/bin/sh\n").toString())),

	EXITS(StepKind.PROCESS, "The process exited with code 3 before it responded: last lines of stderr: no license",
			"command", (name, directory) -> McpServerDefinition.stdio(name, "sh", "-c", "echo no license >&2; exit 3")),

	SILENT_PROCESS(StepKind.INITIALIZE, "No response to server/discover or initialize within 1000 ms",
			"initialization-timeout",
			(name, directory) -> McpServerDefinition.stdio(name, "sh", "-c", "echo Ready.; cat >/dev/null")
				.initializationTimeout(Duration.ofSeconds(1)));

	private final StepKind step;

	private final String detail;

	private final String advice;

	private final Planting planting;

	PlantedFault(StepKind step, String detail, String advice, Planting planting) {
		this.step = step;
		this.detail = detail;
		this.advice = advice;
		this.planting = planting;
	}

	/**
	 * Return the step that fails.
	 */
	public StepKind step() {
		return this.step;
	}

	/**
	 * Return a part of what is seen.
	 */
	public String detail() {
		return this.detail;
	}

	/**
	 * Return a part of what to do.
	 */
	public String advice() {
		return this.advice;
	}

	/**
	 * Plant the fault.
	 * @param name the name of the server
	 * @param directory where files of it may be
	 */
	public McpServerDefinition plantIn(String name, Path directory) {
		return Unchecked.get(() -> this.planting.plant(name, directory)).build();
	}

	/**
	 * Plant the fault, and return the properties of an application that meets it.
	 */
	public List<String> properties(String name, Path directory) {
		McpServerDefinition definition = plantIn(name, directory);
		Map<String, Object> properties = new LinkedHashMap<>();
		Stdio stdio = definition.stdio();
		if (stdio != null) {
			properties.put("command", stdio.command());
			for (int i = 0; i < stdio.args().size(); i++) {
				properties.put("args[" + i + "]", stdio.args().get(i));
			}
		}
		else if (definition.http() != null) {
			properties.put("url", definition.http().url());
			properties.put("ssl.bundle", definition.http().sslBundle());
		}
		properties.put("enabled", definition.enabled());
		properties.put("initialization-timeout", definition.timeouts().initialization().toMillis() + "ms");
		List<String> all = new ArrayList<>();
		properties.forEach((key, value) -> {
			if (value != null) {
				all.add("mcp.servers." + name + "." + key + "=" + value);
			}
		});
		if (properties.get("ssl.bundle") instanceof String bundle) {
			String trust = "spring.ssl.bundle.jks." + bundle + ".truststore.";
			all.add(trust + "location=file:" + directory.resolve(bundle + "-trust.p12"));
			all.add(trust + "password=" + Certificates.PASSWORD);
		}
		return all;
	}

	private static McpServerDefinitionBuilder http(String name, String url) {
		return McpServerDefinition.http(name, URI.create(url));
	}

	private static McpServerDefinitionBuilder answering(String name, McpTestReply reply) {
		return http(name, TestDefaults.closing(McpTestServer.create().on("POST", reply).start()).url());
	}

	private static McpServerDefinitionBuilder secure(String name, Certificates certificates, String certificate)
			throws Exception {
		var tls = certificates.server(certificate);
		return http(name,
				TestDefaults
					.closing(McpTestServer.create((http) -> http.secure((spec) -> spec.sslContext(tls))).start())
					.url());
	}

	@FunctionalInterface
	private interface Planting {

		McpServerDefinitionBuilder plant(String name, Path directory) throws Exception;

	}

}
