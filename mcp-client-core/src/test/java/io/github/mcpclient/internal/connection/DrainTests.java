package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpConnection#drain}.
 */
class DrainTests extends ConnectionHarness {

	private static final String REASON = "It was replaced.";

	@Test
	void aPendingCallEndsBeforeTheConnection() {
		McpConnection old = ready();
		Link link = this.server.last();
		Answer answer = call(old, false);
		drain(old, null);
		assertThat(old.state()).isEqualTo(McpServerState.CLOSED);
		assertThat(old.status().lastError()).isEqualTo(REASON);
		assertThat(answer.isOpen()).isTrue();
		assertThat(link.closes).hasValue(0);
		assertThat(call(old, false).failure).isInstanceOf(McpServerUnavailableException.class);
		answer(link, "late");
		assertThat(answer.text()).isEqualTo("late");
		assertThat(link.closes).hasValue(1);
	}

	@Test
	void aChildProcessIsStartedWhenTheCallsOfTheOneBeforeHaveEnded() {
		McpConnection old = ready();
		Link link = this.server.last();
		Answer pending = call(old, false);
		McpConnection next = replace(old);
		Answer waiting = call(next, false);
		assertThat(this.server.attempts()).isOne();
		answer(link, "old");
		assertThat(pending.text()).isEqualTo("old");
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(waiting.text()).isEqualTo("new");
	}

	@Test
	void aPendingCallEndsByItsTimeout() {
		McpConnection old = ready();
		Answer pending = call(old, false);
		McpConnection next = replace(old);
		this.server.last().calls.get(0)
			.tryEmitError(new SessionTimeoutException("tools/call echo", Duration.ofSeconds(60)));
		assertThat(pending.failure).isNotNull();
		this.server.last().ready();
		assertThat(next.isReady()).isTrue();
	}

	@Test
	void aCancelledCallHoldsNothingUp() {
		McpConnection old = ready();
		Answer pending = call(old, false);
		McpConnection next = replace(old);
		pending.cancel();
		this.server.last().ready();
		assertThat(next.isReady()).isTrue();
	}

	@Test
	void aCallThatComesTooLateGoesToTheNextConnection() {
		McpConnection old = ready();
		McpConnection next = replace(old);
		Answer late = call(old, false);
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(late.text()).isEqualTo("new");
		assertThat(next.isReady()).isTrue();
	}

	@Test
	void aCallThatWaitsForTheFirstAttemptGoesToTheNextConnection() {
		McpConnection old = start();
		Answer waiting = call(old, false);
		McpConnection next = create();
		next.follow(old);
		McpConnection last = create();
		last.follow(next);
		drain(old, next);
		next.start();
		drain(next, last);
		last.start();
		assertThat(waiting.isOpen()).isTrue();
		this.server.last().ready();
		answer(this.server.last(), "last");
		assertThat(waiting.text()).isEqualTo("last");
		assertThat(last.isReady()).isTrue();
	}

	@Test
	void aCallThatWaitsForItsTurnGoesToTheNextConnection() {
		McpConnection old = ready((builder) -> builder.maxConcurrentCalls(1));
		Link link = this.server.last();
		Answer first = call(old, false);
		Answer second = call(old, false);
		replace(old);
		answer(link, "old");
		assertThat(first.text()).isEqualTo("old");
		assertThat(link.calls).hasSize(1);
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(second.text()).isEqualTo("new");
	}

	@Test
	void whereTheServerIsLostMeanwhileOnlyWhatMayBeRepeatedIs() {
		McpConnection old = ready();
		Link link = this.server.last();
		Answer once = call(old, false);
		Answer repeatable = call(old, true);
		McpConnection next = replace(old);
		link.die("lost");
		assertThat(once.failure).isInstanceOf(McpConnectionException.class);
		assertThat(this.server.attempts()).as("that of the next connection alone").isEqualTo(2);
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(repeatable.text()).isEqualTo("new");
		assertThat(next.isReady()).isTrue();
	}

	@Test
	void aCallThatBeginsWhenTheOthersHaveEndedIsNotSent() {
		McpConnection old = ready();
		Link link = this.server.last();
		McpConnection next = create();
		next.follow(old);
		AtomicBoolean drained = new AtomicBoolean();
		Answer late = new Answer(old.call(call(old.definition(), false).checkedBy(() -> {
			if (drained.compareAndSet(false, true)) {
				drain(old, next);
				next.start();
			}
			return null;
		})));
		assertThat(link.calls).isEmpty();
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(late.text()).isEqualTo("new");
	}

	@Test
	void whatARuleFixesOfTheArgumentsIsForNoOtherServer() {
		UnaryOperator<McpServerDefinitionBuilder> fixed = (builder) -> builder.toolRule("*",
				(rule) -> rule.argument("key", "secret"));
		McpConnection old = ready(fixed);
		McpConnection next = create(McpServerDefinition.stdio("x", "other"), fixed);
		next.follow(old);
		drain(old, next);
		next.start();
		Answer known = call(old, false);
		McpConnection last = create(McpServerDefinition.stdio("x", "last"), UnaryOperator.identity());
		last.follow(next);
		drain(next, last);
		last.start();
		assertThat(known.failure).isInstanceOfSatisfying(McpServerUnavailableException.class,
				(ex) -> assertThat(ex.isOutcomeKnown()).isTrue());
		this.server.last().ready();
		assertThat(last.isReady()).isTrue();
	}

	@Test
	void toCloseEndsIt() {
		McpConnection old = ready();
		Link link = this.server.last();
		Answer once = call(old, false);
		Answer repeatable = call(old, true);
		replace(old);
		old.close();
		assertThat(link.closes).hasValue(1);
		assertThat(once.failure).isInstanceOfSatisfying(McpServerUnavailableException.class,
				(ex) -> assertThat(ex.isOutcomeKnown()).isFalse());
		this.server.last().ready();
		answer(this.server.last(), "new");
		assertThat(repeatable.text()).isEqualTo("new");
	}

	@Test
	void aListThatIsWaitedForIsThatOfTheNextConnection() {
		McpConnection old = start();
		List<String> names = new ArrayList<>();
		old.prompts().subscribe((prompts) -> prompts.forEach((prompt) -> names.add(prompt.name())));
		replace(old);
		Link link = this.server.last();
		link.initialize("2025-11-25", ServerCapabilities.builder().tools(true).prompts(true).build()).list();
		link.asked("prompts/list").get(0).tryEmitValue(List.of(Prompt.builder("greeting").build()));
		assertThat(names).containsExactly("greeting");
	}

	@Test
	void aServerThatHasStoppedAnsweringIsFoundOut() {
		McpConnection old = ready(timeouts(Duration.ofHours(1), Duration.ofSeconds(10), Duration.ofSeconds(30)));
		Link link = this.server.last();
		Answer pending = call(old, false);
		McpConnection next = replace(old);
		this.time.advance(Duration.ofSeconds(30));
		assertThat(link.pings).hasSize(1);
		link.die("lost");
		assertThat(pending.failure).isInstanceOf(McpConnectionException.class);
		this.server.last().ready();
		assertThat(next.isReady()).isTrue();
	}

	private McpConnection replace(McpConnection old) {
		McpConnection next = create();
		next.follow(old);
		drain(old, next);
		next.start();
		return next;
	}

	private static void drain(McpConnection old, @Nullable McpConnection next) {
		old.drain(REASON, next);
	}

	private static Answer call(McpConnection connection, boolean repeatable) {
		return new Answer(connection.call(call(connection.definition(), repeatable)));
	}

	private static Call<CallToolResult> call(McpServerDefinition definition, boolean repeatable) {
		return Call.tool(new CallToolRequest("echo", null, null),
				Call.Options.of(definition.timeouts().request(), repeatable));
	}

	private static void answer(Link link, String text) {
		link.calls.get(link.calls.size() - 1).tryEmitValue(FakeSessions.result(text));
	}

}
