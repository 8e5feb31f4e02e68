package io.github.mcpclient.management;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerStatus.StepKind;
import org.jspecify.annotations.Nullable;

/**
 * What a check of one server found, step by step in the order in which a connection is
 * made. Immutable. It contains no secrets, and no text is longer than 1,000 characters;
 * what it quotes from the server is not to be trusted.
 *
 * @param server the configured name of the server
 * @param started when the check began
 * @param duration how long it took
 * @param steps the steps; those that were not reached are {@linkplain Outcome#SKIPPED
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
	 * Return whether no step failed.
	 */
	public boolean passed() {
		return this.steps.stream().noneMatch((step) -> step.outcome() == Outcome.FAILED);
	}

	/**
	 * A step of the check.
	 *
	 * @param kind what was checked; there is one step of each kind at most
	 * @param outcome how that ended
	 * @param duration how long it took; zero for a step that was skipped
	 * @param detail what was seen, or {@code null} if there is nothing to tell
	 * @param advice what to do, with the name of the property to change, or {@code null}
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
		 * Create a step that was not reached, or has nothing to check.
		 */
		public static Step skipped(StepKind kind, @Nullable String detail) {
			return new Step(kind, Outcome.SKIPPED, Duration.ZERO, detail, null);
		}

	}

	/**
	 * How a step ended.
	 */
	public enum Outcome {

		/**
		 * All is well.
		 */
		PASSED,

		/**
		 * It works, but somebody should look at it.
		 */
		WARNING,

		/**
		 * It does not work.
		 */
		FAILED,

		/**
		 * It was not reached, or there is nothing to check.
		 */
		SKIPPED

	}

}
