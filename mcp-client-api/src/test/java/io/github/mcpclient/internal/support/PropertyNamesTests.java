package io.github.mcpclient.internal.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PropertyNames}.
 */
class PropertyNamesTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	// a literal that goes on with the name of a server
	private static final Pattern BUILT_BY_HAND = Pattern.compile("\\bmcp\\.servers\\.(\"\\s*\\+|\\{}|%s)");

	@ParameterizedTest
	@CsvSource(textBlock = """
			my-server, url,              mcp.servers.my-server.url
			my_server, '',               mcp.servers.my_server
			my.server, url,              mcp.servers[my.server].url
			1,         headers[X.Y],     mcp.servers[1].headers[X.Y]
			a/b,       '[x]',            mcp.servers[a/b][x]
			""")
	void settingOfAServerIsNamedAsItIsWritten(String server, String setting, String property) {
		assertThat(PropertyNames.ofServer(server, setting)).isEqualTo(property);
	}

	@Test
	void noMessageOfAnyModuleBuildsSuchANameByHand() throws IOException {
		try (Stream<Path> modules = Files.list(ROOT)) {
			assertThat(modules.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.flatMap((sources) -> Unchecked.get(() -> Files.walk(sources)))
				.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> BUILT_BY_HAND.matcher(Unchecked.get(() -> Files.readString(file))).find())
				.map(ROOT::relativize)).isEmpty();
		}
	}

}
