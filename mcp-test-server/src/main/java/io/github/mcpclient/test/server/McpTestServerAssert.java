package io.github.mcpclient.test.server;

import java.util.List;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * AssertJ assertions about a server. The {@code hasReceived} methods wait.
 */
public final class McpTestServerAssert extends AbstractAssert<McpTestServerAssert, McpTestServer> {

	McpTestServerAssert(McpTestServer actual) {
		super(actual, McpTestServerAssert.class);
	}

	/**
	 * Wait until a method was received.
	 * @param method the method
	 * @return assertions about the last request of that method
	 */
	public McpTestRequestAssert hasReceived(String method) {
		return this.actual.awaitRequest(method).assertThat();
	}

	/**
	 * Wait until a method was received the given number of times, and verify that it was
	 * received no more often.
	 * @param method the method
	 * @param times the number of times
	 * @return this
	 */
	public McpTestServerAssert hasReceived(String method, int times) {
		Assertions.assertThat(this.actual.awaitRequests(method, times)).as(method).hasSize(times);
		return this;
	}

	/**
	 * Verify that a method was not received until now.
	 * @param method the method
	 * @return this
	 */
	public McpTestServerAssert hasNotReceived(String method) {
		Assertions.assertThat(this.actual.requests(method)).as(method).isEmpty();
		return this;
	}

	/**
	 * Wait until a tool was called.
	 * @param tool the tool's name
	 * @return assertions about the last call of that tool
	 */
	public McpTestRequestAssert hasReceivedCall(String tool) {
		return this.actual.awaitCall(tool).assertThat();
	}

	/**
	 * Verify which tools were called until now.
	 * @return assertions about the names of the tools, one for each call
	 */
	public ListAssert<String> calledTools() {
		List<String> names = this.actual.requests("tools/call").stream().map(McpTestRequest::name).toList();
		return Assertions.assertThat(names).as("called tools");
	}

}
