package io.github.mcpclient.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
			}).withMessageContaining("is damaged");
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
			.withMessageContaining("'mcp-tools.lock.new' is there");
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
			await().ignoreExceptionsMatching((ex) -> ex.getMessage().contains("another process writes it now"))
				.until(() -> {
					own.approve("s" + i % 4, List.of(tool("t" + i, Map.of())));
					return true;
				});
		});
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

}
