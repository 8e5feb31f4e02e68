package io.github.mcpclient.testsupport.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import io.github.mcpclient.testsupport.faults.FaultRecord.Test;
import io.github.mcpclient.testsupport.faults.FaultRecorder.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What the tests of a build prove. A test counts where it ran and passed, all its
 * invocations included.
 */
final class FaultMatrix {

	private final List<FaultRecord> passed;

	private final SortedSet<Test> skipped = new TreeSet<>();

	private final Properties reasons;

	/**
	 * Create a matrix.
	 * @param records how the tests ended
	 * @param reasons why cells are empty: by {@code kind.transport}, or
	 * {@code *.transport} for a whole column
	 */
	FaultMatrix(List<FaultRecord> records, Properties reasons) {
		this.reasons = reasons;
		Set<Test> notPassed = new HashSet<>();
		for (FaultRecord record : records) {
			if (record.outcome() != Outcome.PASSED) {
				notPassed.add(record.test());
			}
			if (record.outcome() == Outcome.SKIPPED) {
				this.skipped.add(record.test());
			}
		}
		this.passed = records.stream().filter((record) -> !notPassed.contains(record.test())).distinct().toList();
	}

	/**
	 * The tests that prove that a fault is survived.
	 */
	SortedSet<Test> tests(FaultKind kind, Transport transport) {
		SortedSet<Test> tests = new TreeSet<>();
		this.passed.stream()
			.filter((record) -> record.kind() == kind && record.transport() == transport)
			.forEach((record) -> tests.add(record.test()));
		return tests;
	}

	/**
	 * The tests that state a recovery bound, each once for each fault.
	 */
	List<FaultRecord> survivals() {
		return this.passed.stream().filter((record) -> record.within() > 0).toList();
	}

	/**
	 * The tests that this machine cannot run, for want of Node or Docker.
	 */
	SortedSet<Test> skipped() {
		return this.skipped;
	}

	@Nullable String reason(FaultKind kind, Transport transport) {
		String reason = this.reasons.getProperty(kind.id() + "." + transport.id());
		return (reason != null) ? reason : this.reasons.getProperty("*." + transport.id());
	}

	/**
	 * What is wrong with the matrix.
	 */
	List<String> problems() {
		List<String> problems = new ArrayList<>();
		Set<String> known = new HashSet<>();
		for (Transport transport : Transport.values()) {
			known.add("*." + transport.id());
			for (FaultKind kind : FaultKind.values()) {
				known.add(kind.id() + "." + transport.id());
				addProblem(kind, transport, problems);
			}
		}
		this.reasons.stringPropertyNames()
			.stream()
			.filter((key) -> !known.contains(key))
			.sorted()
			.forEach((key) -> problems.add("There is a reason for '" + key + "', which is no cell"));
		return problems;
	}

	private void addProblem(FaultKind kind, Transport transport, List<String> problems) {
		String cell = "'" + kind.title() + "' over " + transport.title();
		boolean empty = tests(kind, transport).isEmpty();
		boolean excused = this.reasons.containsKey(kind.id() + "." + transport.id());
		if (!empty && excused) {
			problems.add(cell + " is proved by a test: remove the reason for its absence");
		}
		else if (empty && kind.concerns(transport)) {
			problems.add(cell + " has no test that ran and passed");
		}
		else if (empty && reason(kind, transport) == null) {
			problems.add(cell + " has neither a test that ran and passed nor a reason for its absence");
		}
	}

}
