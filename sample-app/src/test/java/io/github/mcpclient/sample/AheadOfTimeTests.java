package io.github.mcpclient.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample, processed ahead of time by the build, in a JVM of its own.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AheadOfTimeTests {

	private static final Pattern URL = Pattern.compile("curl -s (http://localhost:\\d+)/tools$");

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static Process application;

	private static String log;

	private static String url;

	@BeforeAll
	static void start() throws IOException {
		application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dspring.aot.enabled=true", "-cp",
				System.getProperty("java.class.path"), SampleApplication.class.getName(), "--server.port=0",
				"--sample.demo-server.port=" + freePort(), "--mcp.servers.everything.enabled=false",
				"--mcp.startup.wait=60s")
			.redirectErrorStream(true)
			.start();
		StringBuilder output = new StringBuilder();
		BufferedReader reader = application.inputReader();
		while (url == null) {
			String line = reader.readLine();
			assertThat(line).as(output.toString()).isNotNull();
			output.append(line).append('\n');
			Matcher matcher = URL.matcher(line);
			if (matcher.find()) {
				url = matcher.group(1);
			}
		}
		log = output.toString();
	}

	@AfterAll
	static void stop() throws InterruptedException {
		application.destroy();
		boolean stopped = application.waitFor(20, TimeUnit.SECONDS);
		application.destroyForcibly();
		assertThat(stopped).as("stopped in time").isTrue();
	}

	@Test
	void whatWasGeneratedIsUsed() {
		assertThat(log).contains("Starting AOT-processed SampleApplication").doesNotContain("ERROR");
	}

	@Test
	void toolsAreListedAndCalled() throws Exception {
		assertThat(get("/tools").findValuesAsString("name")).containsExactly("demo_dice_roll", "demo_time_now",
				"socket_dice_roll", "socket_time_now");
		assertThat(get("/tools/demo_dice_roll").path("annotations").path("readOnlyHint").asBoolean()).isTrue();
		JsonNode result = send(HttpRequest.newBuilder(URI.create(url + "/tools/demo_dice_roll"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"sides\": 20, \"count\": 3}")));
		assertThat(result.path("isError").asBoolean()).isFalse();
		assertThat(result.path("structuredContent").path("rolls")).hasSize(3);
	}

	@Test
	void aDeclaredClientCallsItsServer() throws Exception {
		JsonNode roll = get("/dice?sides=2&count=3");
		assertThat(roll.path("rolls")).hasSize(3);
		assertThat(roll.path("total").asInt()).isBetween(3, 6);
	}

	@Test
	void actuatorTellsTheStates() throws Exception {
		JsonNode servers = get("/actuator/mcp").path("servers");
		assertThat(servers.path("demo").path("state").asString()).isEqualTo("READY");
		assertThat(servers.path("demo").path("server").path("name").asString()).isEqualTo("demo");
		assertThat(servers.path("everything").path("state").asString()).isEqualTo("DISABLED");
		assertThat(servers.path("down").path("state").asString()).isIn("UNAVAILABLE", "CONNECTING");
		assertThat(get("/actuator/mcp/demo").path("tools")).hasSize(2);
		assertThat(get("/actuator/health").path("status").asString()).isEqualTo("UP");
	}

	private static JsonNode get(String path) throws Exception {
		return send(HttpRequest.newBuilder(URI.create(url + path)));
	}

	private static JsonNode send(HttpRequest.Builder request) throws Exception {
		HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
