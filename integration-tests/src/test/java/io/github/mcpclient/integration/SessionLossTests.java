package io.github.mcpclient.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that forgets a session under load.
 */
class SessionLossTests {

	private static final int CALLS = 20;

	@ParameterizedTest
	@ValueSource(ints = { 404, 400 })
	@Fault(value = FaultKind.MANY_CALLS_MEET_A_LOSS, over = Transport.STREAMABLE_HTTP)
	void callsThatMeetALostSessionAreAnsweredAfterOneNewHandshake(int status) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(CALLS);
		try (McpTestServer server = McpTestServer.create()
			.tools("hello")
			.unknownSession((status == 404) ? McpTestReply.status(404)
					: McpTestReply.error(-32000, "Bad Request: No valid session ID provided").withStatus(status))
			.start(); ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + server.url())) {
			assertThat(application.text("a_hello", Map.of("message", "before"))).isEqualTo("hello before");
			server.forgetSessions();
			List<Callable<String>> calls = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				String message = "call " + i;
				calls.add(() -> application.text("a_hello", Map.of("message", message)));
			}
			List<String> answers = new ArrayList<>();
			for (Future<String> answer : executor.invokeAll(calls, 60, TimeUnit.SECONDS)) {
				answers.add(answer.get());
			}
			for (int i = 0; i < CALLS; i++) {
				assertThat(answers.get(i)).isEqualTo("hello call " + i);
			}
			assertThat(server.requests("initialize")).hasSize(2);
			assertThat(server.calls()).hasSize(CALLS + 1);
		}
		finally {
			executor.shutdownNow();
		}
	}

}
