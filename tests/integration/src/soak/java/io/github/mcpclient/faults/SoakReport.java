package io.github.mcpclient.faults;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What came of a run of {@link Soak}.
 */
final class SoakReport {

	private static final int MOST_PROBLEMS = 50;

	private final LongAdder hostileHandshakes = new LongAdder();

	private final LongAdder answered = new LongAdder();

	private final LongAdder failedAsExpected = new LongAdder();

	private final LongAdder failedUnexpectedly = new LongAdder();

	private final LongAdder wrong = new LongAdder();

	private final LongAdder tokens = new LongAdder();

	private final LongAdder misplaced = new LongAdder();

	private final Map<String, LongAdder> tokensSeen = new ConcurrentSkipListMap<>();

	private final LongAdder faults = new LongAdder();

	private final LongAdder notRecovered = new LongAdder();

	private final AtomicLong slowestRecovery = new AtomicLong();

	private final List<String> leaks = new CopyOnWriteArrayList<>();

	private final PrintStream out;

	private final long began = System.nanoTime();

	private final boolean verbose;

	SoakReport(PrintStream out, boolean verbose) {
		this.out = out;
		this.verbose = verbose;
	}

	void begins(String server, SoakFault fault) {
		if (this.verbose) {
			say(server + " " + fault);
		}
	}

	void hostileHandshake() {
		this.hostileHandshakes.increment();
	}

	void answered() {
		this.answered.increment();
	}

	void failedAsExpected() {
		this.failedAsExpected.increment();
	}

	void failedUnexpectedly(String caller, Throwable failure) {
		this.failedUnexpectedly.increment();
		problem("A call of " + caller + " failed, and no fault explains it", failure);
	}

	void wrong(String text) {
		this.wrong.increment();
		problem("Wrong answer: " + text, null);
	}

	/**
	 * Look at credentials that somebody was shown.
	 * @param expected whether one of them belongs there
	 */
	void inspect(String where, List<SoakCredential> credentials, Predicate<SoakCredential> expected) {
		for (SoakCredential credential : credentials) {
			if (!expected.test(credential)) {
				this.misplaced.increment();
				problem(where + " saw " + credential, null);
			}
		}
	}

	void issuedToken() {
		this.tokens.increment();
	}

	/**
	 * Count a request with a token.
	 */
	void sawToken(String server) {
		this.tokensSeen.computeIfAbsent(server, (name) -> new LongAdder()).increment();
	}

	void recovered(Duration time) {
		this.faults.increment();
		this.slowestRecovery.accumulateAndGet(time.toMillis(), Math::max);
	}

	void notRecovered(String what, Throwable failure) {
		this.faults.increment();
		this.notRecovered.increment();
		problem(what, failure);
	}

	void leaked(String what, Throwable failure) {
		this.leaks.add(what + ": " + failure.getMessage());
	}

	/**
	 * Print what is wrong at once, as a run is long.
	 */
	private void problem(String what, @Nullable Throwable failure) {
		if (problems() <= MOST_PROBLEMS) {
			this.out.println(time() + " " + what);
			if (failure != null) {
				failure.printStackTrace(this.out);
			}
		}
	}

	void say(String text) {
		this.out.println(time() + " " + text);
	}

	void progress() {
		say(String.format("%,d faults, %,d calls, %d failed unexpectedly", this.faults.sum(), calls(),
				this.failedUnexpectedly.sum()));
	}

	private String time() {
		Duration time = Duration.ofNanos(System.nanoTime() - this.began);
		return String.format("%02d:%02d", time.toMinutes(), time.toSecondsPart());
	}

	private long calls() {
		return this.answered.sum() + this.wrong.sum() + this.failedAsExpected.sum() + this.failedUnexpectedly.sum();
	}

	boolean isClean() {
		return problems() == 0 && this.leaks.isEmpty();
	}

	private long problems() {
		return this.failedUnexpectedly.sum() + this.wrong.sum() + this.misplaced.sum() + this.notRecovered.sum();
	}

	/**
	 * Print all.
	 * @param before what was held when each fault had been met once
	 * @param after what was held when all was over
	 */
	void print(Resources before, Resources after) {
		row("faults", this.faults.sum());
		row("hostile handshakes", this.hostileHandshakes.sum());
		row("calls made", calls());
		row("right results", this.answered.sum());
		row("failed as expected", this.failedAsExpected.sum());
		row("failed unexpectedly", this.failedUnexpectedly.sum());
		row("wrong results", this.wrong.sum());
		row("tokens issued", this.tokens.sum());
		this.tokensSeen.forEach((server, requests) -> row("seen by " + server, requests.sum()));
		row("secrets misplaced", this.misplaced.sum());
		row("not recovered within " + SoakServer.RECOVERY_BOUND.toSeconds() + " s", this.notRecovered.sum());
		row("slowest recovery", String.format("%,d ms", this.slowestRecovery.get()));
		row("threads", before.threadCount() + " before, " + after.threadCount() + " after");
		row("sockets and pipes", before.descriptorCount() + " before, " + after.descriptorCount() + " after");
		row("child processes", before.children() + " before, " + after.children() + " after");
		row("heap", megabytes(before.heap()) + " MB before, " + megabytes(after.heap()) + " MB after");
		row("leaks", this.leaks.isEmpty() ? "none" : String.join("; ", this.leaks));
	}

	private void row(String name, long value) {
		row(name, String.format("%,d", value));
	}

	private void row(String name, String value) {
		this.out.println(String.format("%-26s%s", name, value));
	}

	private static String megabytes(long bytes) {
		return String.format("%.1f", bytes / 1024.0 / 1024.0);
	}

}
