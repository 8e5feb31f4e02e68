package io.github.mcpclient.management;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerStatus.StepKind;
import org.jspecify.annotations.Nullable;

/**
 * The result of the check of one server, step by step in the order in which a connection
 * is made. Immutable. It contains no secrets, and no text is longer than 1,000
 * characters; quotations from the server are untrusted.
 *
 * @param server the configured name of the server
 * @param started when the check began
 * @param duration how long it took
 * @param steps the steps; steps that were not reached are {@linkplain Outcome#SKIPPED
 * skipped}
 * @see ManagedMcpServer#diagnose()
 */
public record McpDiagnosis(String server, Instant started, Duration duration, List<Step> steps) {

	/**
	 * Create a diagnosis.
	 */
	public McpDiagnosis {
		steps = List.copyOf(steps);
	}

	/**
	 * Return {@code true} if no step failed.
	 */
	public boolean passed() {
		return this.steps.stream().noneMatch((step) -> step.outcome() == Outcome.FAILED);
	}

	/**
	 * A step of the check.
	 *
	 * @param kind the kind of step; each kind occurs once at most
	 * @param outcome the outcome of the step
	 * @param duration how long it took; zero for a step that was skipped
	 * @param detail the observation, or {@code null} if there is nothing to report
	 * @param advice the recommended action, with the name of the property to change, or
	 * {@code null}
	 */
	public record Step(StepKind kind, Outcome outcome, Duration duration, @Nullable String detail,
			@Nullable String advice) {

		/**
		 * Create a step that passed.
		 */
		public static Step passed(StepKind kind, Duration duration, @Nullable String detail) {
			return new Step(kind, Outcome.PASSED, duration, detail, null);
		}

		/**
		 * Create a step that was not reached, or is not applicable.
		 */
		public static Step skipped(StepKind kind, @Nullable String detail) {
			return new Step(kind, Outcome.SKIPPED, Duration.ZERO, detail, null);
		}

	}

	/**
	 * The outcome of a step.
	 */
	public enum Outcome {

		/**
		 * The step succeeded.
		 */
		PASSED,

		/**
		 * The step succeeded, with a problem that an operator should examine.
		 */
		WARNING,

		/**
		 * The step failed.
		 */
		FAILED,

		/**
		 * The step was not reached, or is not applicable.
		 */
		SKIPPED

	}

}
