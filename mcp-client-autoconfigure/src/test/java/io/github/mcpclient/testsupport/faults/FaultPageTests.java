package io.github.mcpclient.testsupport.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.github.mcpclient.testsupport.faults.FaultRecorder.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FaultPage}, and {@link FaultRecorder}.
 */
class FaultPageTests {

	@TempDir
	private Path directory;

	private final List<FaultRecord> records = new ArrayList<>();

	private final List<String> reasons = new ArrayList<>(List.of("*.websocket=none", "*.sse=none"));

	@BeforeEach
	void proveAll() {
		for (FaultKind kind : FaultKind.values()) {
			for (Transport transport : List.of(Transport.STDIO, Transport.STREAMABLE_HTTP)) {
				if (kind.concerns(transport)) {
					this.records.add(record(Outcome.PASSED, "all", kind, transport));
				}
				else {
					this.reasons.add(kind.id() + "." + transport.id() + "=does not apply");
				}
			}
		}
	}

	@Test
	void pageIsMadeOfTheTests() throws Exception {
		assertThat(write()).isEmpty();
		assertThat(page())
			.contains("| 1 | The server is down when the application starts | [SomeTests.all]("
					+ "../mcp-client-autoconfigure/src/test/java/com/example/SomeTests.java) |")
			.contains("| *does not apply* |")
			.contains("| *none* |  |\n");
	}

	@Test
	void pageIsMadeAnew() throws Exception {
		write();
		this.records.add(record(Outcome.PASSED, "another", FaultKind.RESET, Transport.STREAMABLE_HTTP));
		assertThat(write()).isEmpty();
		assertThat(page()).contains("SomeTests.another");
	}

	@Test
	void faultWithoutATestIsNamed() throws Exception {
		this.records.removeIf((record) -> record.kind() == FaultKind.STDERR);
		this.reasons.add("stderr.stdio=no excuse");
		assertThat(write()).containsExactly(
				"'A flood on stderr, or a stderr that is closed' over stdio has no test that ran and passed");
	}

	@Test
	void testThatWasSkippedProvesNothing() throws Exception {
		this.records.removeIf((record) -> record.kind() == FaultKind.STDERR);
		this.records.add(record(Outcome.SKIPPED, "skipped", FaultKind.STDERR, Transport.STDIO));
		assertThat(write()).hasSize(1);
	}

	@Test
	void testThatPassedOnceOnlyProvesNothing() throws Exception {
		this.records.removeIf((record) -> record.kind() == FaultKind.STDERR);
		this.records.add(record(Outcome.PASSED, "unsteady", FaultKind.STDERR, Transport.STDIO));
		this.records.add(record(Outcome.FAILED, "unsteady", FaultKind.STDERR, Transport.STDIO));
		assertThat(write()).hasSize(1);
	}

	@Test
	void pageIsLeftAsItIsWhereTestsWereSkipped() throws Exception {
		write();
		this.records.add(record(Outcome.SKIPPED, "skipped", FaultKind.STDERR, Transport.STDIO));
		this.records.add(record(Outcome.PASSED, "new", FaultKind.STDERR, Transport.STDIO));
		assertThat(write()).isEmpty();
		assertThat(page()).doesNotContain("SomeTests.new");
	}

	@Test
	void emptyCellNeedsAReason() throws Exception {
		this.reasons.remove("*.sse=none");
		assertThat(write()).hasSize(FaultKind.values().length)
			.allMatch((problem) -> problem
				.endsWith("over SSE has neither a test that ran and passed nor a reason for its absence"));
	}

	@Test
	void reasonForWhatIsProvedOrNoCellIsRefused() throws Exception {
		this.reasons.add("reset.streamable-http=nobody cares");
		this.reasons.add("rest.sse=a slip");
		assertThat(write()).containsExactly(
				"'The connection breaks within a call' over streamable HTTP is proved by a test: remove the reason"
						+ " for its absence",
				"There is a reason for 'rest.sse', which is no cell");
	}

	@Test
	void boundsAreTold() throws Exception {
		this.records.add(new FaultRecord(Outcome.PASSED, "com.example.SomeTests", "recovers", FaultKind.RESET,
				Transport.STREAMABLE_HTTP, 10, 100));
		this.records.add(new FaultRecord(Outcome.PASSED, "com.example.SomeTests", "recovers", FaultKind.RESET,
				Transport.SSE, 10, 100));
		this.reasons.add("reset.websocket=none");
		assertThat(write()).isEmpty();
		assertThat(page()).contains(
				"| The connection breaks within a call | streamable HTTP, SSE | 10 s | 100 | [SomeTests.recovers](");
	}

	private static FaultRecord record(Outcome outcome, String method, FaultKind kind, Transport transport) {
		return new FaultRecord(outcome, "com.example.SomeTests", method, kind, transport, 0, 0);
	}

	private String page() throws IOException {
		return Files.readString(this.directory.resolve("docs/faults.md"));
	}

	private List<String> write() throws IOException {
		Path record = Files.writeString(this.directory.resolve("record"),
				this.records.stream().map(FaultRecord::toLine).collect(Collectors.joining()));
		Path reasons = Files.write(this.directory.resolve("reasons.properties"), this.reasons);
		return FaultPage.write(record, reasons, this.directory.resolve("docs/faults.md"));
	}

}
