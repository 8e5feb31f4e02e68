package io.github.mcpclient.integration.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code build/public-api.txt} lists the public API, so that a change of it is
 * seen where it is made, and in its diff.
 */
class PublicApiTests {

	private static final Path LIST = ProjectFiles.of("build/public-api.txt");

	@Test
	void isAsItIsListed() throws IOException, InterruptedException {
		List<String> api = ProjectFiles.run("build/PublicApi.java");
		assertThat(api).hasSizeGreaterThan(1000)
			.contains("public abstract class io.github.mcpclient.McpException extends RuntimeException",
					"\tpublic @Nullable String getServerName()")
			.noneMatch((line) -> line.contains(".internal."));
		List<String> listed = Files.readAllLines(LIST);
		assertThat(api)
			.withFailMessage(() -> "The public API differs from build/public-api.txt. If the change is intended, run"
					+ " java build/PublicApi.java --write and, after the first release, add it to CHANGELOG.md."
					+ ApiChanges.between(listed, api).describe())
			.isEqualTo(listed);
	}

	@Test
	void whatIsBrokenIsToldApartFromWhatIsNew() {
		ApiChanges changes = ApiChanges.between("""
				# one

				public class a.Gone extends b.Base
				\tpublic Gone()

				public interface a.Kept
				\tuses b.Item, b.Other
				\tdefault void removed(Item)
				\tdefault Item typed(Other, @Nullable String)
				\tItem moved()
				\tvoid same(List<Other>)
				\tdefault void soon()

				public record a.Pair(String one)

				public enum a.State
				\tON, OFF
				""".lines().toList(), """
				# two

				public interface a.Kept
				\tuses b.Other, c.Item
				\tdefault Item typed(Other, String)
				\tItem moved()
				\tvoid same(List<Other>)
				\tvoid same(List<Other>, int)
				\tdefault void free(int)
				\t@Deprecated(since = "1.1", forRemoval = true) default void soon()

				public record a.New(int one)
				\tpublic static New of(int)

				public record a.Pair(String one, String two)

				public enum a.State
				\tON, PAUSED
				""".lines().toList());
		assertThat(changes.broken()).containsExactly("removed public class a.Gone extends b.Base",
				"changed a.Kept: b.Item moved() -> c.Item moved()", "removed a.Kept: default void removed(b.Item)",
				"changed a.Kept: default b.Item typed(b.Other, @Nullable String) -> default c.Item typed(b.Other, String)",
				"to be implemented a.Kept: void same(List<b.Other>, int)",
				"changed public record a.Pair(String one) -> public record a.Pair(String one, String two)",
				"removed a.State: OFF");
		assertThat(changes.deprecated())
			.containsExactly("a.Kept: @Deprecated(since = \"1.1\", forRemoval = true) default void soon()");
		assertThat(changes.added()).containsExactly("a.Kept: default void free(int)", "a.State: PAUSED",
				"public record a.New(int one)");
		assertThat(changes.describe()).containsSubsequence("broken:", "\n    removed a.State: OFF", "new:",
				"\n    a.Kept: default void free(int)");
	}

}
