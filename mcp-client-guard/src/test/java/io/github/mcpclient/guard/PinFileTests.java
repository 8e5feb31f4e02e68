package io.github.mcpclient.guard;

import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.guard.PinContent.Stamp;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link PinFile}.
 */
class PinFileTests {

	@TempDir
	private Path folder;

	private Path path;

	private PinFile file;

	@BeforeEach
	void create() {
		this.path = this.folder.resolve("mcp-tools.lock");
		this.file = new PinFile(new FileSystemResource(this.path), true);
	}

	@Test
	void whatIsApprovedIsSortedReadableAndReadAgain() throws IOException {
		ApprovedTool write = tool("write", Map.of("description", "Gr\u00fc\u00dfe\u200b\n1.0", "number", 1e22));
		ApprovedTool read = tool("read", Map.of());
		this.file.approve("notes", List.of(write));
		this.file.approve("files", List.of(new ApprovedTool("secret", read.hash(), null)));
		this.file.approve("notes", List.of(read));
		assertThat(Files.readString(this.path)).isEqualTo("""
				{
				  "servers": {
				    "files": {
				      "secret": {
				        "hash": "%1$s"
				      }
				    },
				    "notes": {
				      "read": {
				        "definition": {
				          "name": "read"
				        },
				        "hash": "%1$s"
				      },
				      "write": {
				        "definition": {
				          "description": "Gr\u00fc\u00dfe\\u200b\\n1.0",
				          "name": "write",
				          "number": 1e+22
				        },
				        "hash": "%2$s"
				      }
				    }
				  },
				  "version": 1
				}
				""".formatted(read.hash(), write.hash()));
		PinFile other = new PinFile(new FileSystemResource(this.path), true);
		for (PinFile reader : List.of(this.file, other)) {
			assertThat(reader.approved("notes")).containsExactlyInAnyOrder(read, write);
			assertThat(reader.approved("unknown")).isEmpty();
		}
		String before = Files.readString(this.path);
		other.approve("notes", List.of(write));
		assertThat(Files.readString(this.path)).isEqualTo(before);
		try (Stream<Path> files = Files.list(this.folder)) {
			assertThat(files).containsExactly(this.path);
		}
	}

	@Test
	void aFileOfAnEarlierVersionIsReadAndStaysAsItIs() throws IOException {
		String text = """
				{
				  "servers": {
				    "files": {
				      "read": {
				        "definition": {
				          "_meta": {
				            "\u20ac": [
				              null,
				              true,
				              "",
				              [],
				              {}
				            ],
				            "\ud83d\ude00": 123456789012345678901234567890,
				            "\ufb33": 9007199254740993
				          },
				          "description": "\u00dcber \ud83d\ude00/\\u200b\\u001f\\u007f \\"\\\\\\n\\ud800 \\udb40\\udc41",
				          "inputSchema": {
				            "default": [
				              1e-7,
				              1e+21,
				              1e+22,
				              1.5e+300,
				              5e-324,
				              0,
				              123456789.125,
				              100000000000000000000
				            ],
				            "maximum": 100,
				            "minimum": 1,
				            "multipleOf": 0.0001
				          },
				          "name": "read"
				        },
				        "hash": "sha256:4d3455e9b76abd779fdd5b0a7c4e0478f03ad50b88780ade9ee37a7321b7b0e8"
				      },
				      "secret": {
				        "hash": "sha256:44ceaa30d1d64dc0e563090ab5b3af64f8e0647cd1490b85308e8d1d52b8ad8d"
				      }
				    }
				  },
				  "version": 1
				}
				""";
		Files.writeString(this.path, text);
		List<ApprovedTool> tools = List.copyOf(this.file.approved("files"));
		assertThat(tools).extracting(ApprovedTool::name).containsExactly("read", "secret");
		this.file.approve("files", tools);
		assertThat(this.path).hasContent(text);
	}

	@Test
	void aToolThatIsApprovedAgainHasAnotherHash() {
		this.file.approve("a", List.of(tool("x", Map.of())));
		ApprovedTool next = tool("x", Map.of("title", "other"));
		this.file.approve("a", List.of(next));
		assertThat(this.file.approved("a")).containsExactly(next);
	}

	@Test
	void nothingIsApprovedWithoutAFile() {
		assertThat(this.file.approved("a")).isEmpty();
		assertThat(this.path).doesNotExist();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "<<<<<<< HEAD\n{}", "{\"version\": 2, \"servers\": {}}",
			"{\"servers\": {}}", "{\"version\": 1, \"servers\": []}", "{\"version\": 1, \"servers\": {\"a\": 1}}",
			"{\"version\": 1, \"servers\": {\"a\": {\"x\": {}}}}",
			"{\"version\": 1, \"servers\": {\"a\": {\"x\": {\"hash\": \"sha256:0\"}}}}",
			"{\"version\": 1, \"servers\": {\"a\": {}, \"a\": {}}}",
			"{\"version\": 1, \"servers\": {\"a\": {\"x\": {\"hash\": \"sha256:0000000000000000000000000000000000000000"
					+ "000000000000000000000000\", \"definition\": {\"name\": \"x\"}}}}}" })
	void aDamagedFileApprovesNothingAndIsKept(String text) throws IOException {
		Files.writeString(this.path, text);
		assertThatIllegalStateException().isThrownBy(() -> this.file.approved("a"))
			.withMessageContaining("is damaged")
			.withMessageContaining(this.path.toString());
		if (!text.contains("{\"x\": {\"")) {
			assertThatIllegalStateException().isThrownBy(() -> {
				this.file.approve("a", List.of(tool("y", Map.of())));
				this.file.approved("a");
			}).withMessageContaining("damaged");
		}
	}

	@Test
	void anEntryThatIsDamagedCostsItsServerOnly() throws IOException {
		ApprovedTool read = tool("read", Map.of("description", "Reads"));
		this.file.approve("a", List.of(read));
		this.file.approve("b", List.of(read));
		String text = Files.readString(this.path);
		// of "b", which comes last
		int end = text.lastIndexOf("Reads");
		Files.writeString(this.path, text.substring(0, end) + "Steals" + text.substring(end + 5));
		assertThat(this.file.approved("a")).containsExactly(read);
		assertThatIllegalStateException().isThrownBy(() -> this.file.approved("b"))
			.withMessageContaining("the definition of tool 'read' does not have its hash");
	}

	@Test
	void aFileThatCannotBeWrittenIsNotChanged() throws IOException {
		PinFile ofClassPath = new PinFile(
				new ByteArrayResource("{\"version\":1,\"servers\":{}}".getBytes(StandardCharsets.UTF_8)), true);
		assertThat(ofClassPath.approved("a")).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> ofClassPath.approve("a", List.of(tool("x", Map.of()))))
			.withMessageContaining("cannot be written");
		PinFile nowhere = new PinFile(new FileSystemResource(this.folder.resolve("no/such/folder/pins")), true);
		assertThatIllegalStateException().isThrownBy(() -> nowhere.approve("a", List.of(tool("x", Map.of()))))
			.withMessageContaining("cannot be written");
		// another process has ended while it wrote
		Files.createFile(this.folder.resolve("mcp-tools.lock.new"));
		assertThatIllegalStateException().isThrownBy(() -> this.file.approve("a", List.of(tool("x", Map.of()))))
			.withMessageContaining("'mcp-tools.lock.new' exists");
		assertThat(this.path).doesNotExist();
	}

	@Test
	void manyWritersOfAnApplicationLoseNothing() {
		write((i) -> this.file.approve("s" + i % 4, List.of(tool("t" + i, Map.of()))));
	}

	@Test
	void manyApplicationsLoseNothingThatTheyWereNotTold() {
		write((i) -> {
			PinFile own = new PinFile(new FileSystemResource(this.path), true);
			await().ignoreExceptionsMatching((ex) -> ex.getMessage().contains("another process is writing it"))
				.until(() -> {
					own.approve("s" + i % 4, List.of(tool("t" + i, Map.of())));
					return true;
				});
		});
	}

	@Test
	void whoWaitsAtTheSameTimeReadsTheFileOnce() throws IOException {
		int servers = 20;
		for (int i = 0; i < servers; i++) {
			this.file.approve("s" + i, List.of(tool("t", Map.of("description", "x".repeat(20_000)))));
		}
		Gate gate = new Gate(this.path, true);
		PinFile other = new PinFile(gate, true);
		List<Thread> threads = start(servers, (i) -> assertThat(other.approved("s" + i)).hasSize(1));
		gate.open(threads);
		// all of it, and then the part of each server
		assertThat(gate.bytes.get()).isBetween(Files.size(this.path), 3 * Files.size(this.path));
		// one that is damaged, too
		Files.writeString(this.path, "{".repeat(100_000));
		gate.bytes.set(0);
		for (int i = 0; i < servers; i++) {
			assertThatIllegalStateException().isThrownBy(() -> other.approved("s"));
		}
		assertThat(gate.bytes.get()).isLessThanOrEqualTo(100_000);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void whatManyServersPinAtTheSameTimeIsWrittenTogether() throws Exception {
		this.file.approve("other", List.of(tool("t", Map.of())));
		Gate gate = new Gate(this.path, false);
		PinFile own = new PinFile(gate, true);
		try (WatchService watch = this.folder.getFileSystem().newWatchService()) {
			this.folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
			gate.open(start(50, (i) -> own.approve("s" + i, List.of(tool("t" + i, Map.of())))));
			Files.createFile(this.folder.resolve("end"));
			int writes = 0;
			boolean end = false;
			while (!end) {
				WatchKey key = watch.take();
				for (WatchEvent<?> event : key.pollEvents()) {
					String name = String.valueOf(event.context());
					writes += name.endsWith(".new") ? event.count() : 0;
					end |= name.equals("end");
				}
				key.reset();
			}
			assertThat(writes).isBetween(1, 2);
		}
		for (int i = 0; i < 50; i++) {
			assertThat(this.file.approved("s" + i)).containsExactly(tool("t" + i, Map.of()));
		}
		assertThat(this.file.approved("other")).containsExactly(tool("t", Map.of()));
	}

	@ParameterizedTest
	@ValueSource(ints = { 201, 497 })
	void aDefinitionThatIsTooDeepCostsItsServerOnly(int levels) {
		this.file.approve("a", List.of(tool("read", Map.of())));
		ApprovedTool deep = new ApprovedTool("deep", "sha256:" + "0".repeat(64),
				"{\"name\":\"deep\",\"x\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + "}");
		assertThatIllegalStateException().isThrownBy(() -> {
			this.file.approve("deep", List.of(deep));
			this.file.approved("deep");
		}).withMessageContaining("'deep'").withMessageContaining("More than 200 levels");
		this.file.approve("b", List.of(tool("send", Map.of())));
		for (PinFile reader : List.of(this.file, new PinFile(new FileSystemResource(this.path), true))) {
			assertThat(reader.approved("a")).containsExactly(tool("read", Map.of()));
			assertThat(reader.approved("b")).containsExactly(tool("send", Map.of()));
		}
	}

	@Test
	void aNameThatCannotBeReadBackIsNotWritten() {
		this.file.approve("a", List.of(tool("read", Map.of())));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.file.approve("long", List.of(tool("x".repeat(60_000), Map.of()))))
			.withMessageContaining("'long'");
		assertThat(this.file.approved("a")).containsExactly(tool("read", Map.of()));
		assertThat(this.file.approved("long")).isEmpty();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void aPipeIsNotWaitedFor() throws Exception {
		assertThat(new ProcessBuilder("mkfifo", this.path.toString()).start().waitFor()).isZero();
		assertThatIllegalStateException().isThrownBy(() -> this.file.approved("a"))
			.withMessageContaining("it is not a file");
		assertThatIllegalStateException().isThrownBy(() -> this.file.approve("a", List.of(tool("x", Map.of()))))
			.withMessageContaining("it is not a file");
		try (Stream<Path> files = Files.list(this.folder)) {
			assertThat(files).containsExactly(this.path);
		}
	}

	@Test
	void aDefinitionWhoseTextIsTooLargeIsKnownByItsHash() throws IOException {
		Object deep = Collections.nCopies(20_000, 1);
		for (int i = 1; i < 150; i++) {
			deep = List.of(deep);
		}
		ApprovedTool large = tool("large", Map.of("x", deep));
		this.file.approve("a", List.of(large, tool("read", Map.of())));
		assertThat(Files.size(this.path)).isLessThan(1_000_000);
		assertThat(this.file.approved("a")).containsExactlyInAnyOrder(new ApprovedTool("large", large.hash(), null),
				tool("read", Map.of()));
	}

	@Test
	void aWriteForAllIsNotLostWithTheCallThatDoesIt() {
		PinFile own = new PinFile(new FileSystemResource(this.path) {

			@Override
			public File getFile() {
				Thread.currentThread().interrupt();
				return super.getFile();
			}

		}, true);
		own.approve("a", List.of(tool("read", Map.of())));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.file.approved("a")).containsExactly(tool("read", Map.of()));
	}

	@Test
	void whatPeopleHaveWrittenIsReadAndStaysAsItIs() throws IOException {
		List<ApprovedTool> tools = new ArrayList<>();
		// parts begin and end everywhere in what is read at a time
		StringBuilder text = new StringBuilder(
				"\uFEFF{\"version\":1, \"comment\": {\"a\": [{}]},\n\t\"servers\":{\r\n");
		for (int i = 0; i < 300; i++) {
			ApprovedTool tool = tool("t" + i,
					Map.of("description", "Gr\u00fc\u00dfe \ud83d\ude00".repeat(i) + "\"}{\\"));
			tools.add(tool);
			text.append(" ".repeat(i % 7))
				.append((i > 0) ? "," : "")
				.append("\"s" + (999 - i) + "\" : {\"t" + i + "\":{\"hash\":\"" + tool.hash() + "\",\"definition\":"
						+ tool.definition() + " } }");
		}
		Files.writeString(this.path, text + ",\"no \\\"server\\\\\\n\":{}}}");
		for (int i = 0; i < tools.size(); i++) {
			assertThat(this.file.approved("s" + (999 - i))).containsExactly(tools.get(i));
		}
		this.file.approve("a", List.of(tool("x", Map.of())));
		this.file.approve("s850", List.of(tool("x", Map.of())));
		for (int i = 0; i < tools.size(); i++) {
			assertThat(this.file.approved("s" + (999 - i))).contains(tools.get(i));
		}
		assertThat(this.file.approved("s850")).hasSize(2);
		assertThat(this.path).content().contains("{\"t0\":{\"hash\":\"" + tools.get(0).hash());
	}

	@Test
	void entriesThatAreTooDeepCostTheirServerOnly() throws IOException {
		this.file.approve("a", List.of(tool("read", Map.of())));
		this.file.approve("b", List.of(tool("read", Map.of())));
		Files.writeString(this.path,
				Files.readString(this.path)
					.replaceFirst("\"definition\": \\{",
							"\"definition\": {\"x\": " + "[".repeat(1000) + "]".repeat(1000) + ","));
		assertThatIllegalStateException().isThrownBy(() -> this.file.approved("a"))
			.withMessageContaining("in the entries of 'a'");
		assertThatIllegalStateException().isThrownBy(() -> this.file.approve("a", List.of(tool("x", Map.of()))))
			.withMessageContaining("the existing entries are damaged");
		this.file.approve("c", List.of(tool("send", Map.of())));
		assertThat(this.file.approved("b")).containsExactly(tool("read", Map.of()));
		assertThat(this.file.approved("c")).containsExactly(tool("send", Map.of()));
		assertThatIllegalStateException().isThrownBy(() -> this.file.approved("a"));
	}

	@Test
	void aServerHasOnlySoMuchOfTheFile() throws IOException {
		PinFile small = new PinFile(new FileSystemResource(this.path), true, 160_000);
		List<ApprovedTool> many = IntStream.range(0, 30)
			.mapToObj((i) -> tool("t" + i, Map.of("description", "x".repeat(1000))))
			.toList();
		small.approve("large", many);
		assertThat(small.approved("large")).hasSize(30)
			.map(ApprovedTool::hash)
			.containsExactlyInAnyOrderElementsOf(many.stream().map(ApprovedTool::hash).toList());
		assertThat(small.approved("large")).filteredOn((tool) -> tool.definition() != null).hasSizeBetween(2, 8);
		List<ApprovedTool> more = IntStream.range(0, 200).mapToObj((i) -> tool("m" + i, Map.of())).toList();
		assertThatIllegalStateException().isThrownBy(() -> small.approve("large", more))
			.withMessageContaining("cannot be written with the tools of 'large': there is no room for 230 tools");
		// as an application with a larger heap has written it
		this.file.approve("large", many);
		this.file.approve("other", List.of(tool("read", Map.of())));
		assertThatIllegalStateException().isThrownBy(() -> small.approved("large"))
			.withMessageContaining("Give the JVM more memory");
		assertThat(small.approved("other")).containsExactly(tool("read", Map.of()));
	}

	@Test
	void aDefinitionThatDoesNotFitTakesRoom() {
		// many of them would take as long as all of them are with line breaks
		ApprovedTool large = tool("large", Map.of("description", "x".repeat(10_000)));
		ApprovedTool small = tool("small", Map.of());
		PinFile own = new PinFile(new FileSystemResource(this.path), true, 160_000);
		own.approve("a", List.of(large, small));
		assertThat(own.approved("a")).extracting(ApprovedTool::definition).containsOnlyNulls();
		own.approve("b", List.of(small));
		assertThat(own.approved("b")).containsExactly(small);
	}

	@Test
	void aFullFileTakesHashes() throws IOException {
		FileSystemResource file = new FileSystemResource(this.path);
		Map<String, List<ApprovedTool>> servers = new TreeMap<>();
		for (int i = 10; i < 50; i++) {
			servers.put("s" + i, List.of(tool("t" + i, Map.of("description", "x".repeat(200)))));
		}
		PinCopy copy = new PinCopy(PinContent.none(file, Stamp.MISSING), 16_000);
		copy.write(this.path, servers);
		assertThat(copy.failures()).isEmpty();
		assertThat(Files.size(this.path)).isLessThan(16_000);
		PinFile small = new PinFile(file, true, 16_000);
		servers.forEach((name, tools) -> assertThat(small.approved(name)).singleElement()
			.extracting(ApprovedTool::hash)
			.isEqualTo(tools.get(0).hash()));
		assertThat(small.approved("s10")).isEqualTo(servers.get("s10"));
		assertThat(small.approved("s49")).extracting(ApprovedTool::definition).containsOnlyNulls();
		Files.writeString(this.path, " ".repeat(16_000), StandardOpenOption.APPEND);
		assertThatIllegalStateException().isThrownBy(() -> small.approved("s10"))
			.withMessageContaining("the limit with a heap of this size is 16000");
	}

	private static List<Thread> start(int threads, IntConsumer code) {
		return IntStream.range(0, threads).mapToObj((i) -> {
			Thread thread = new Thread(() -> code.accept(i));
			thread.start();
			return thread;
		}).toList();
	}

	private void write(IntConsumer writer) {
		CompletableFuture
			.allOf(IntStream.range(0, 20)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> writer.accept(i)))
				.toArray(CompletableFuture[]::new))
			.join();
		assertThat(IntStream.range(0, 4).mapToObj((i) -> this.file.approved("s" + i)))
			.allMatch((all) -> all.size() == 5);
	}

	private static ApprovedTool tool(String name, Map<String, Object> fields) {
		Map<String, Object> all = new TreeMap<>(fields);
		all.put("name", name);
		PinnedDefinition definition = new PinnedDefinition(all);
		return new ApprovedTool(name, definition.hash(), definition.json());
	}

	/**
	 * A file that no reader, or else no writer, gets before all wait for it, or for who
	 * does.
	 */
	private static final class Gate extends FileSystemResource {

		private final boolean readers;

		private final AtomicLong bytes = new AtomicLong();

		private final AtomicInteger arrived = new AtomicInteger();

		private final CountDownLatch open = new CountDownLatch(1);

		Gate(Path path, boolean readers) {
			super(path);
			this.readers = readers;
		}

		void open(List<Thread> threads) {
			await().until(() -> this.arrived.get() > 0
					&& threads.stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING));
			this.open.countDown();
			threads.forEach((thread) -> Unchecked.run(thread::join));
		}

		private void pass(boolean reader) {
			if (reader != this.readers) {
				return;
			}
			this.arrived.incrementAndGet();
			Unchecked.run(() -> this.open.await());
		}

		@Override
		public File getFile() {
			pass(false);
			return super.getFile();
		}

		@Override
		public InputStream getInputStream() throws IOException {
			pass(true);
			return new FilterInputStream(super.getInputStream()) {

				@Override
				public int read() throws IOException {
					int value = super.read();
					Gate.this.bytes.addAndGet((value >= 0) ? 1 : 0);
					return value;
				}

				@Override
				public int read(byte[] buffer, int offset, int length) throws IOException {
					int count = super.read(buffer, offset, length);
					Gate.this.bytes.addAndGet(Math.max(0, count));
					return count;
				}

			};
		}

	}

}
