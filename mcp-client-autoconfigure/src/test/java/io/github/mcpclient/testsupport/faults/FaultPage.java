package io.github.mcpclient.testsupport.faults;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.faults.FaultRecord.Test;

/**
 * Makes the page that tells which faults are survived, and by which test that is proved.
 * Run by the build, which fails when a proof is missing.
 */
public final class FaultPage {

	private static final String SOURCES = "../mcp-client-autoconfigure/src/test/java/";

	private static final String INTRODUCTION = """
			# Proved under faults

			What can happen to a connection between an application and an MCP server, and the tests that prove that this
			client survives it. The build makes this page of the tests that ran and passed, and fails where a fault is
			without proof; do not edit it. Where a fault does not concern a transport, its cell says why. There is no WebSocket
			transport yet.

			""";

	private static final String SURVIVALS = """

			## With several servers connected

			In these tests an application is connected to other servers as well, over HTTP and stdio, and calls them all
			the time. Each asserts that no call to another server failed or got a wrong answer; that the server came back
			by itself, which is a right answer of it, within the time given here from the end of the fault; and that then
			there are no more threads, file descriptors and child processes than before, and at most 5 MB more on the heap
			after a garbage collection, also when the fault was met as often as given here. When the application is closed,
			no child process and no thread is left.

			| fault | over | back within | times | test |
			|---|---|---|---|---|
			""";

	private FaultPage() {
	}

	/**
	 * Make the page.
	 * @param args the record of the tests, the reasons for empty cells, the page
	 */
	public static void main(String[] args) throws IOException {
		List<String> problems = write(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
		problems.forEach(System.err::println);
		if (!problems.isEmpty()) {
			System.exit(1);
		}
	}

	/**
	 * Write the page anew where all proofs are there.
	 * @return what is missing
	 */
	static List<String> write(Path record, Path reasons, Path page) throws IOException {
		FaultMatrix matrix = new FaultMatrix(read(record), properties(reasons));
		List<String> problems = matrix.problems();
		if (!problems.isEmpty()) {
			return problems;
		}
		String text = render(matrix);
		if (!matrix.skipped().isEmpty()) {
			System.out.println(page.getFileName() + " is left as it is, since some tests were skipped: "
					+ matrix.skipped().stream().map(Test::simpleName).collect(Collectors.joining(", ")));
		}
		else if (!Files.exists(page) || !Files.readString(page).equals(text)) {
			Files.createDirectories(page.toAbsolutePath().getParent());
			Files.writeString(page, text);
			System.out.println(page.getFileName() + " was written anew. Commit it.");
		}
		return problems;
	}

	private static List<FaultRecord> read(Path record) throws IOException {
		if (!Files.exists(record)) {
			return List.of();
		}
		try (Stream<String> lines = Files.lines(record)) {
			return lines.map(FaultRecord::of).toList();
		}
	}

	private static Properties properties(Path file) throws IOException {
		Properties properties = new Properties();
		try (Reader reader = Files.newBufferedReader(file)) {
			properties.load(reader);
		}
		return properties;
	}

	static String render(FaultMatrix matrix) {
		StringBuilder page = new StringBuilder(INTRODUCTION);
		page.append("| | fault |");
		for (Transport transport : Transport.values()) {
			page.append(" ").append(transport.title()).append(" |");
		}
		page.append("\n|---|---|").append("---|".repeat(Transport.values().length)).append("\n");
		for (FaultKind kind : FaultKind.values()) {
			page.append("| ").append(kind.ordinal() + 1).append(" | ").append(kind.title()).append(" |");
			for (Transport transport : Transport.values()) {
				page.append(" ").append(cell(matrix, kind, transport)).append(" |");
			}
			page.append("\n");
		}
		page.append(SURVIVALS);
		survivals(matrix).forEach((row) -> page.append(row).append("\n"));
		return page.toString();
	}

	private static String cell(FaultMatrix matrix, FaultKind kind, Transport transport) {
		SortedSet<Test> tests = matrix.tests(kind, transport);
		if (!tests.isEmpty()) {
			return tests.stream().map(FaultPage::link).collect(Collectors.joining("<br>"));
		}
		if (transport == Transport.WEBSOCKET) {
			return "";
		}
		String reason = matrix.reason(kind, transport);
		return (reason != null) ? "*" + reason + "*" : "**not proved**";
	}

	private static List<String> survivals(FaultMatrix matrix) {
		return matrix.survivals()
			.stream()
			.collect(Collectors.groupingBy((record) -> List.of(record.kind(), record.test())))
			.values()
			.stream()
			.sorted(Comparator.comparing((List<FaultRecord> records) -> records.get(0).kind())
				.thenComparing((records) -> records.get(0).test()))
			.map(FaultPage::survival)
			.toList();
	}

	private static String survival(List<FaultRecord> records) {
		FaultRecord first = records.get(0);
		String transports = records.stream()
			.map(FaultRecord::transport)
			.distinct()
			.sorted()
			.map(Transport::title)
			.collect(Collectors.joining(", "));
		return "| " + first.kind().title() + " | " + transports + " | " + first.within() + " s | " + first.cycles()
				+ " | " + link(first.test()) + " |";
	}

	private static String link(Test test) {
		return "[" + test.simpleName() + "](" + SOURCES + test.file() + ")";
	}

}
