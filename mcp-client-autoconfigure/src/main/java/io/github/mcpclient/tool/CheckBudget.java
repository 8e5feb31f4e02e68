package io.github.mcpclient.tool;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;

/**
 * How much work it may be to compile a schema, or to check a value against it: both come
 * from a server, and a few lines of schema can keep a processor busy for years. A unit is
 * about ten nanoseconds. For one thread and one check; any thread may stop it.
 */
final class CheckBudget extends ExecutionContext {

	/**
	 * What may be done on any thread: about a millisecond.
	 */
	static final long SHORT = 100_000;

	/**
	 * What may be done on a thread that is there for it: less than a second.
	 */
	static final long LONG = 50_000_000;

	private static final int KEYWORD = 50;

	/**
	 * What an error costs: its time, and the memory that it keeps.
	 */
	private static final int ERROR = 500;

	/**
	 * What it costs to tell one character: many errors may tell as many.
	 */
	private static final int CHARACTER = 4;

	private static final int MAX_ERRORS = 1000;

	/**
	 * Far from what a stack has room for.
	 */
	private static final int MAX_DEPTH = 1000;

	private static final int MAX_DOUBTS = 100;

	/**
	 * Where it is not enough that a pattern passes: whether a schema fits decides of
	 * others here.
	 */
	private static final Set<String> DECISIONS = Set.of("not", "oneOf", "anyOf", "if", "contains");

	/**
	 * Patterns and keywords are not told of what they are a part.
	 */
	private static final ThreadLocal<@Nullable CheckBudget> CURRENT = new ThreadLocal<>();

	private final List<Error> errors = getErrors();

	private final Set<NodePath> doubts = new LinkedHashSet<>();

	private boolean doubtful;

	private long left;

	private int depth;

	private volatile boolean stopped;

	CheckBudget(long budget) {
		this.left = budget;
	}

	static CheckBudget current() {
		return Objects.requireNonNull(CURRENT.get(), "No check is under way on this thread");
	}

	/**
	 * Do some work within this budget.
	 * @param work the work
	 * @throws ExceededException if it takes more
	 * @throws StoppedException if it was stopped
	 */
	void run(Runnable work) {
		CURRENT.set(this);
		try {
			work.run();
		}
		catch (EnoughException ex) {
			// what is known tells enough
		}
		finally {
			CURRENT.remove();
		}
	}

	void refill(long budget) {
		this.left = budget;
	}

	/**
	 * Let the work end as soon as it spends again.
	 */
	void stop() {
		this.stopped = true;
	}

	void spend(long cost) {
		if (this.stopped) {
			throw new StoppedException();
		}
		this.left -= cost;
		if (this.left < 0) {
			throw new ExceededException("it takes too long to check a value against it");
		}
	}

	@Override
	public void evaluationPathAddLast(String keyword) {
		spendOnPath();
		super.evaluationPathAddLast(keyword);
	}

	@Override
	public void evaluationPathAddLast(int index) {
		spendOnPath();
		super.evaluationPathAddLast(index);
	}

	@Override
	public void evaluationPathRemoveLast() {
		this.depth--;
		super.evaluationPathRemoveLast();
	}

	int depth() {
		return this.depth;
	}

	private void spendOnPath() {
		spend(KEYWORD);
		if (this.depth >= MAX_DEPTH) {
			throw new ExceededException("it is too deep, or has no end");
		}
		if (this.errors.size() >= MAX_ERRORS) {
			throw new EnoughException();
		}
		this.depth++;
	}

	@Override
	public void addError(Error error) {
		long cost = ERROR;
		if (error.getArguments() != null) {
			for (Object argument : error.getArguments()) {
				cost += (argument instanceof String text) ? (long) CHARACTER * text.length() : 0;
			}
		}
		spend(cost);
		super.addError(error);
	}

	/**
	 * Answer for a pattern that cannot be checked, so that nothing fails for it. Where a
	 * decision depends on it, what it decides of is in doubt.
	 * @return whether the pattern counts as matched
	 */
	boolean matchesUnknown() {
		NodePath path = getEvaluationPath();
		int length = path.getNameCount();
		spend((long) KEYWORD * length);
		for (int i = 0; i < length; i++) {
			if (DECISIONS.contains(String.valueOf(path.getElement(i)))) {
				doubt(path, length - i);
				break;
			}
		}
		if (!"patternProperties".equals(path.getElement(-1))) {
			return true;
		}
		// Nothing is required of the property, but it may be one that was evaluated
		this.doubtful |= isUnevaluatedPropertiesPresent();
		return false;
	}

	private void doubt(NodePath path, int levels) {
		NodePath place = path;
		for (int i = 0; i < levels; i++) {
			place = place.getParent();
		}
		this.doubts.add(place);
		this.doubtful |= this.doubts.size() > MAX_DOUBTS;
	}

	/**
	 * Return the errors that are certain.
	 */
	List<Error> certainErrors() {
		if (this.doubtful) {
			return List.of();
		}
		return this.doubts.isEmpty() ? this.errors
				: this.errors.stream()
					.filter((error) -> this.doubts.stream().noneMatch(error.getEvaluationPath()::startsWith))
					.toList();
	}

	/**
	 * The work takes more than its budget, of time or of depth.
	 */
	static final class ExceededException extends SchemaException {

		ExceededException(String message) {
			super(message);
		}

	}

	/**
	 * Nobody waits for the work any more.
	 */
	static final class StoppedException extends SchemaException {

		StoppedException() {
			super("it was given up");
		}

	}

	private static final class EnoughException extends SchemaException {

		private EnoughException() {
			super("the value does not fit");
		}

	}

}
