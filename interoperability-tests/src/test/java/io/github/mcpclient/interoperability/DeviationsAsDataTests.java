package io.github.mcpclient.interoperability;

import java.util.Map;

import io.github.mcpclient.McpServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a server that keeps to the protocol has no deviations, whatever the
 * transport.
 */
class DeviationsAsDataTests extends AbstractInteroperabilityTests {

	@Test
	void serverThatIsRightHasNone() {
		McpServer server = connect();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		this.peer.forgetSessions();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

	@Test
	void processThatIsRightHasNone() {
		McpServer server = connectToChild();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

}
