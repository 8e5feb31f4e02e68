package io.github.mcpclient.internal.schema;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.annotation.Annotation;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;

/**
 * Limits the work of one check, including the compilation of the schema, in units of
 * about ten nanoseconds: a few lines of schema can occupy a processor for years. Can be
 * stopped by any thread.
 */
final class CheckBudget extends ExecutionContext {

	// about one millisecond
	static final long SHORT = 100_000;

	// less than a second
	static final long LONG = 50_000_000;

	private static final int KEYWORD = 50;

	// for time, and for retained memory
	private static final int ERROR = 500;

	private static final int ERROR_CHARACTER = 4;

	private static final int MAX_ERRORS = 1000;

	private static final int MAX_DEPTH = 1000;

	// keywords whose outcome is unknown if the outcome of a subschema is unknown
	private static final Set<String> DECISIONS = Set.of("not", "oneOf", "anyOf", "if", "then", "else", "contains",
			"unevaluatedProperties", "unevaluatedItems");

	// the validator passes no context to patterns and to the keywords that it compiles
	private static final ThreadLocal<@Nullable CheckBudget> CURRENT = new ThreadLocal<>();

	private final List<Error> errors = getErrors();

	private boolean unknown;

	private long left;

	private int depth;

	private volatile boolean stopped;

	CheckBudget(long budget) {
		this.left = budget;
	}

	static CheckBudget current() {
		return Objects.requireNonNull(CURRENT.get(), "No check is in progress on this thread");
	}

	<T> T run(Supplier<T> work) {
		CURRENT.set(this);
		try {
			return work.get();
		}
		finally {
			CURRENT.remove();
		}
	}

	void refill(long budget) {
		this.left = budget;
	}

	void stop() {
		this.stopped = true;
	}

	void spend(long cost) {
		this.left -= cost;
		if (this.stopped || this.left < 0) {
			throw new ExceededException("it takes too long to check a value against it");
		}
	}

	void enterKeyword(long cost, NodePath location) {
		spend(KEYWORD + cost);
		if (this.depth >= MAX_DEPTH) {
			throw new ExceededException("it is nested too deeply, or without end");
		}
		if (hasEnoughErrors()) {
			throw new ExceededException("the value has too many errors");
		}
		this.depth++;
		if (isUnevaluatedPropertiesPresent() || isUnevaluatedItemsPresent()) {
			List<Annotation> annotations = getAnnotations().asMap().get(location);
			spend((1L + ((annotations != null) ? annotations.size() : 0)) * this.depth);
		}
	}

	boolean isStopped() {
		return this.stopped;
	}

	boolean hasEnoughErrors() {
		return this.errors.size() >= MAX_ERRORS;
	}

	void leaveKeyword() {
		this.depth--;
	}

	@Override
	public void addError(Error error) {
		spend(ERROR);
		Object[] arguments = (error.getArguments() != null) ? error.getArguments() : new Object[0];
		for (Object argument : arguments) {
			spend((long) ERROR_CHARACTER * String.valueOf(argument).length());
		}
		super.addError(error);
	}

	/**
	 * Match a pattern that cannot be checked, so that it causes no violation.
	 */
	boolean matchesUnknown() {
		this.unknown = true;
		return !"patternProperties".equals(getEvaluationPath().getElement(-1));
	}

	/**
	 * Return the errors that do not depend on a pattern that cannot be checked.
	 */
	List<Error> certainErrors() {
		return this.unknown
				? this.errors.stream().filter((error) -> !dependsOnDecision(error.getEvaluationPath())).toList()
				: this.errors;
	}

	private static boolean dependsOnDecision(NodePath path) {
		for (NodePath part = path; part != null; part = part.getParent()) {
			if (DECISIONS.contains(String.valueOf(part.getElement(-1)))) {
				return true;
			}
		}
		return false;
	}

	static final class ExceededException extends SchemaException {

		private ExceededException(String message) {
			super(message);
		}

	}

}
