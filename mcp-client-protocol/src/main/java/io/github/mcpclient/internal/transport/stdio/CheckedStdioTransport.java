package io.github.mcpclient.internal.transport.stdio;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.DuplexTransport;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A transport that reports the steps of a check: the program that was started, and its
 * output that is not a message.
 */
final class CheckedStdioTransport extends StdioTransport {

	private final Consumer<Step> steps;

	private final ClientScheduler time;

	private final long created;

	private volatile String process = "";

	CheckedStdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			Consumer<Step> steps) {
		super(definition, mapper, scheduler, ChildTree.Patience.STOP, new DuplexTransport.Skipped(definition));
		this.steps = steps;
		this.time = scheduler;
		this.created = scheduler.now(TimeUnit.NANOSECONDS);
		steps.accept(Step.skipped(StepKind.EXECUTABLE, null));
		steps.accept(Step.skipped(StepKind.PROCESS, null));
	}

	@Override
	void launched(String program, long pid) {
		this.process = "Process " + pid + " was started";
		this.steps.accept(Step.passed(StepKind.EXECUTABLE, Duration.ZERO, program));
		this.steps.accept(Step.passed(StepKind.PROCESS,
				Duration.ofNanos(this.time.now(TimeUnit.NANOSECONDS) - this.created), this.process));
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			if (!this.process.isEmpty() && !hasEnded()) {
				this.steps.accept(spoken());
			}
			return super.closeGracefully();
		});
	}

	private Step spoken() {
		Duration duration = Duration.ofNanos(this.time.now(TimeUnit.NANOSECONDS) - this.created);
		List<String> errors = stderr();
		String told = this.process
				+ (errors.isEmpty() ? "" : ". Last lines of stderr: " + String.join(" | ", last(errors)));
		return noise().isEmpty() ? Step.passed(StepKind.PROCESS, duration, told)
				: new Step(StepKind.PROCESS, Outcome.WARNING, duration,
						told + ". Its stdout has text that is not a message: " + String.join(" | ", last(noise())),
						"Configure it to log to stderr: stdout is reserved for messages.");
	}

	private static List<String> last(List<String> lines) {
		return lines.subList(Math.max(0, lines.size() - 5), lines.size());
	}

}
