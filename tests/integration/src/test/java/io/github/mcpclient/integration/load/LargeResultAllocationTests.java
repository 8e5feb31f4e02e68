package io.github.mcpclient.integration.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much memory the client allocates to read a result as large as results may be.
 */
class LargeResultAllocationTests {

	private static final int SIZE = 5 * 1024 * 1024;

	private static final long MOST = 25L * 1024 * 1024;

	// beside its text: the envelope
	private static final int REST = 256;

	private static final Map<String, String> LINES = Map.of("plain", "one of many lines of text, ", "escaped",
			"{\"path\": \"C:\\a\", \"value\": 1}\n", "german", "eine Zeile mit \u00fc und \u00e4\n", "russian",
			"\u0441\u0442\u0440\u043e\u043a\u0430\n");

	private static McpTestServer peer;

	private static ClientApplication application;

	@BeforeAll
	static void start() {
		peer = McpTestServer.create()
			.tool("json", (call) -> answer(call, false))
			.tool("events", (call) -> answer(call, true))
			.recordAtMost(10)
			.start();
		List<String> child = peer.stdioCommand();
		List<String> properties = new ArrayList<>(List.of("mcp.servers.http.url=" + peer.url(),
				"mcp.servers.older.type=sse", "mcp.servers.older.url=" + peer.sseUrl(), "mcp.servers.ws.type=websocket",
				"mcp.servers.ws.url=" + peer.webSocketUrl(), "mcp.servers.child.command=" + child.get(0)));
		for (int i = 1; i < child.size(); i++) {
			properties.add("mcp.servers.child.args[" + (i - 1) + "]=" + child.get(i));
		}
		application = ClientApplication.startShared(properties.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		application.close();
		peer.close();
	}

	@ParameterizedTest
	@CsvSource({ "http_json, plain", "http_json, escaped", "http_json, german", "http_json, russian",
			"http_events, plain", "http_events, escaped", "older_json, plain", "ws_json, plain", "child_json, plain",
			"child_json, escaped" })
	void resultCostsAFewCopies(String tool, String kind) {
		int length = application.text(tool, Map.of("kind", kind)).length();
		// the first call has what is made once, and others may run meanwhile
		long allocated = LongStream.range(0, 3).map((i) -> {
			Map<Long, Long> before = allocated();
			assertThat(application.text(tool, Map.of("kind", kind))).hasSize(length);
			Map<Long, Long> after = allocated();
			return after.keySet().stream().mapToLong((id) -> after.get(id) - before.getOrDefault(id, 0L)).sum();
		}).min().getAsLong();
		assertThat(allocated).isLessThan(MOST);
	}

	private static McpTestReply answer(McpTestRequest call, boolean events) {
		String text = LINES.get(call.argument("kind"));
		String json = JsonMapper.shared().writeValueAsString(text);
		int count = (SIZE - REST) / (json.getBytes(StandardCharsets.UTF_8).length - 2);
		McpTestReply reply = McpTestReply.text(text.repeat(count));
		return events ? reply.asEvents() : reply;
	}

	// by each thread that is not the server's
	private static Map<Long, Long> allocated() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
			.filter((thread) -> thread != null && !thread.getThreadName().startsWith("test-server"))
			.collect(Collectors.toMap(ThreadInfo::getThreadId,
					(thread) -> threads.getThreadAllocatedBytes(thread.getThreadId())));
	}

}
