package io.github.mcpclient.observation;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parent of calls that go on on another thread, which validates their arguments.
 */
class ValidatedCallTests {

	@ParameterizedTest
	@CsvSource({ "false, caller", "true, interceptor" })
	void callerIsTheParent(boolean intercepted, String parent) {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		ClientApplication application = ClientApplication.start(ObservedApplication.class,
				"mcp.servers.a.url=" + server.url(), "mcp.servers.a.tools.validate-arguments=true",
				"test.interceptor=" + intercepted);
		ObservationRegistry registry = application.context().getBean(ObservationRegistry.class);
		McpTool echo = application.tools().get("a_echo");
		Map<String, Object> large = Map.of("message", "x".repeat(100_000), "intercept", "yes");
		for (Supplier<Object> call : List.<Supplier<Object>>of(() -> echo.call(large),
				() -> echo.callAsync(large).block(LIMIT))) {
			server.forgetRequests();
			Observation.start("caller", registry).observe(call);
			assertThat(server.awaitCall("echo").params().get("_meta")).asString().contains("traceparent=" + parent);
		}
	}

}
