package io.github.mcpclient.test.server;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * AssertJ assertions about what a server received.
 */
public final class McpTestRequestAssert extends AbstractAssert<McpTestRequestAssert, McpTestRequest> {

	McpTestRequestAssert(McpTestRequest actual) {
		super(actual, McpTestRequestAssert.class);
	}

	/**
	 * Verify that the HTTP request had a header.
	 * @param name the name, in any case
	 * @param value the value
	 * @return this
	 */
	public McpTestRequestAssert hasHeader(String name, String value) {
		if (!this.actual.headers().getOrDefault(name, List.of()).contains(value)) {
			failWithMessage("Expected header %s: %s in %s", name, value, this.actual.headers());
		}
		return this;
	}

	/**
	 * Verify that the HTTP request did not have a header.
	 * @param name the name, in any case
	 * @return this
	 */
	public McpTestRequestAssert doesNotHaveHeader(String name) {
		if (this.actual.headers().containsKey(name)) {
			failWithMessage("Expected no header %s in %s", name, this.actual.headers());
		}
		return this;
	}

	/**
	 * Verify that a call had an argument.
	 * @param name the name
	 * @param value the value, as JSON has it
	 * @return this
	 */
	public McpTestRequestAssert hasArgument(String name, Object value) {
		if (!Objects.equals(this.actual.arguments().get(name), value)) {
			failWithMessage("Expected argument %s: %s in %s", name, value, this.actual.arguments());
		}
		return this;
	}

	/**
	 * Verify all arguments of a call.
	 * @param arguments the arguments
	 * @return this
	 */
	public McpTestRequestAssert hasArguments(Map<String, ?> arguments) {
		Assertions.assertThat(this.actual.arguments()).as("arguments").isEqualTo(arguments);
		return this;
	}

}
