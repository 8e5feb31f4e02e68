package io.github.mcpclient.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.actuate.McpEndpoint.ActionDescriptor;
import io.github.mcpclient.actuate.McpEndpoint.DiagnosisDescriptor;
import io.github.mcpclient.actuate.McpEndpoint.StepDescriptor;
import io.github.mcpclient.actuate.McpEndpointWebExtension.ProblemDescriptor;
import io.github.mcpclient.actuate.McpServerDetailsDescriptor.MismatchView;
import io.github.mcpclient.actuate.McpServerDetailsDescriptor.ToolView;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpEndpoint}.
 */
class McpEndpointTests {

	private static final McpServerStatus CONNECTING = FakeMcpServerRegistry.status("slow", McpServerState.CONNECTING,
			false);

	private final FakeMcpServerRegistry registry = FakeMcpServerRegistry.of(CONNECTING);

	private final McpEndpoint endpoint = new McpEndpoint(this.registry.manager(), Schedulers.parallel(), true, List::of,
			List::of, () -> null);

	@ParameterizedTest
	@ValueSource(strings = { "reconnect", "RECONNECT", "Reconnect", "enable", "Disable" })
	void knowsAnActionHoweverItIsSpelled(String action) {
		this.endpoint.act("slow", action, null, null).block(LIMIT);
		assertThat(this.registry.contacts).containsExactly(action.toLowerCase(Locale.ROOT) + " slow");
	}

	@Test
	void actsWhenItsResultIsAskedFor() {
		Mono<ActionDescriptor> action = this.endpoint.act("slow", "refresh", null, null);
		assertThat(this.registry.contacts).isEmpty();
		action.block(LIMIT);
		assertThat(this.registry.contacts).containsExactly("refresh slow");
	}

	@Test
	void hasNoOtherDetailThanTheDiagnosis() {
		assertThat(this.endpoint.detail("slow", "diagnosis")).isNotNull();
		assertThat(this.endpoint.detail("slow", "other")).isNull();
		assertThat(this.endpoint.detail("nobody", "diagnosis")).isNull();
	}

	@Test
	void answersWithTheStateOfTheMomentWhenAnActionTakesLong() {
		Sinks.One<McpServerStatus> outcome = Sinks.one();
		StepVerifier.withVirtualTime(() -> {
			this.registry.set(CONNECTING).onAction(() -> outcome.asMono());
			return new McpEndpoint(this.registry.manager(), Schedulers.parallel(), true, List::of, List::of, () -> null)
				.act("slow", "reconnect", null, null);
		})
			.expectSubscription()
			.expectNoEvent(Duration.ofSeconds(25).minusNanos(1))
			.thenAwait(Duration.ofNanos(1))
			.expectNext(new ActionDescriptor(McpServerDescriptor.of(this.registry.manager().server("slow"), CONNECTING),
					"Still in progress after 25 s. Read the state again later."))
			.expectComplete()
			.verify(LIMIT);
		assertThat(outcome.currentSubscriberCount()).isZero();
	}

	@Test
	void doesNotHideAnUnexpectedError() {
		this.registry.set(CONNECTING).onAction(() -> Mono.error(new IllegalStateException("a bug")));
		StepVerifier.create(this.endpoint.act("slow", "refresh", null, null))
			.expectError(IllegalStateException.class)
			.verify(LIMIT);
	}

	@Test
	void refusesWhatItDoesNotKnowAndDoesNotRepeatIt() {
		assertThatExceptionOfType(NoSuchMcpServerException.class)
			.isThrownBy(() -> this.endpoint.act("nobody", "refresh", null, null).block(LIMIT));
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> this.endpoint.act("slow", "<script>", null, null).block(LIMIT))
			.withMessageContaining("\"reconnect\", \"refresh\", \"enable\", \"disable\" or \"approve\"")
			.withMessageNotContaining("script");
		assertThat(this.endpoint.server("nobody")).isNull();
		assertThat(this.registry.contacts).isEmpty();
	}

	@Test
	void showsDeclaredClientsThatDoNotMatch() {
		Mismatch mismatch = new Mismatch(Kind.NO_TOOL, "forecast", "the server has no tool 'forecast'");
		Mismatch noServer = new Mismatch(Kind.NO_SERVER, null, "No MCP server 'none'");
		McpEndpoint endpoint = new McpEndpoint(this.registry.manager(), Schedulers.parallel(), true, () -> List.of("a"),
				() -> List.of(new McpToolClientMismatchEvent("slow", "org.example.Weather", List.of(mismatch)),
						new McpToolClientMismatchEvent("none", "org.example.None", List.of(noServer))),
				() -> null);
		assertThat(endpoint.server("slow")).extracting(McpServerDetailsDescriptor::mismatches)
			.isEqualTo(List.of(new MismatchView("org.example.Weather", "forecast", Kind.NO_TOOL, mismatch.detail())));
		assertThat(endpoint.servers().warnings()).containsExactly("a",
				"Declared MCP client org.example.None: No MCP server 'none'");
	}

	@Test
	void hintsAtWhatIsWrittenAsJson() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, McpEndpoint.class,
				McpEndpointWebExtension.class, McpInfoContributor.class);
		assertThat(hints).satisfies((registered) -> {
			for (Class<?> type : new Class<?>[] { ActionDescriptor.class, DiagnosisDescriptor.class,
					StepDescriptor.class, McpServerDescriptor.class, ToolView.class, ProblemDescriptor.class,
					McpInfoContributor.ServerInfo.class }) {
				assertThat(RuntimeHintsPredicates.reflection().onType(type).test(registered)).as(type.getName())
					.isTrue();
			}
		});
	}

}
