package io.github.mcpclient.internal.connection;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Deviations}.
 */
class DeviationsTests {

	@RegisterExtension
	final CapturedLog log = new CapturedLog(ConnectionContext.LOGGER);

	private final VirtualScheduler time = new VirtualScheduler();

	private final Deviations deviations = new Deviations(
			new ErrorWording(McpServerDefinition.http("docs", URI.create("https://docs.example/mcp"))
				.headers(Map.of("Authorization", "Bearer s3cr3t-token"))
				.build(), true),
			this.time);

	@Test
	void theFirstIsLoggedAndAllAreCounted() {
		this.deviations.add(Kind.CONTENT_TYPE, "text/plain");
		this.time.advance(Duration.ofSeconds(5));
		this.deviations.add(Kind.LISTS, "null in tools/list");
		this.deviations.add(Kind.CONTENT_TYPE, "text/plain");
		assertThat(this.deviations.list())
			.extracting(McpServerDeviation::kind, McpServerDeviation::detail, McpServerDeviation::count)
			.containsExactly(tuple(Kind.CONTENT_TYPE, "text/plain", 2L), tuple(Kind.LISTS, "null in tools/list", 1L));
		McpServerDeviation first = this.deviations.list().get(0);
		assertThat(Duration.between(first.firstSeen(), first.lastSeen())).isEqualTo(Duration.ofSeconds(5));
		assertThat(this.log.lines(Level.WARN)).hasSize(2)
			.first()
			.asString()
			.startsWith(
					"MCP server 'docs' (https://docs.example/mcp) " + Kind.CONTENT_TYPE.summary() + ": text/plain. ")
			.contains(Kind.CONTENT_TYPE.handling());
	}

	@Test
	void aServerThatVariesThemFillsNeitherTheLogNorTheMemory() {
		IntStream.range(0, 1000).forEach((i) -> this.deviations.add(Kind.RESPONSE_ID, "id " + i));
		assertThat(this.deviations.list()).hasSize(Deviations.MOST_OF_A_KIND + 1)
			.hasSize(this.deviations.size())
			.extracting(McpServerDeviation::count)
			.contains(1000L - Deviations.MOST_OF_A_KIND);
		assertThat(this.log.lines(Level.WARN)).hasSize(1);
	}

	@Test
	void tellsByWhatAResponseMayBeLost() {
		this.deviations.add(Kind.STDOUT, "'Loading'");
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.deviations.meanwhile(Duration.ofSeconds(4))).isEmpty();
		this.deviations.add(Kind.CONTENT_TYPE, "text/plain");
		assertThat(this.deviations.meanwhile(Duration.ofSeconds(4))).isEmpty();
		for (int i = 1; i <= 9; i++) {
			this.time.advance(Duration.ofMillis(1));
			this.deviations.add(Kind.UNKNOWN_ID, "'s3cr3t-token" + i + "'");
		}
		assertThat(this.deviations.meanwhile(Duration.ofSeconds(4))).isEqualTo(" (during this time, the server "
				+ "sends responses with IDs that match no request, 9 in total, the latest: others of this kind, such "
				+ "as '******9')");
		this.deviations.add(Kind.UNKNOWN_ID, "'s3cr3t-token1'");
		this.time.advance(Duration.ofMillis(1));
		this.deviations.add(Kind.STDOUT, "'Loading'");
		assertThat(this.deviations.meanwhile(Duration.ofSeconds(Long.MAX_VALUE)))
			.contains(Kind.STDOUT.summary() + ", 2 in total, the latest: 'Loading')");
	}

	@Test
	void aSecretIsMaskedBeforeTheTextIsCut() {
		this.deviations.add(Kind.DISCOVERY, "x".repeat(290) + " s3cr3t-token");
		assertThat(this.deviations.list().get(0).detail()).hasSizeLessThanOrEqualTo(300).doesNotContain("s3c");
	}

	@Test
	void whatIsQuotedIsShortPrintableAndWithoutSecrets() {
		this.deviations.add(Kind.STDOUT, "\u001B[31mBearer s3cr3t-token\n" + "x".repeat(5000));
		assertThat(this.deviations.list().get(0).detail()).hasSizeLessThan(400)
			.startsWith("****** x")
			.doesNotContain("s3cr3t", "\u001B", "\n");
		assertThat(this.log.lines()).noneMatch((line) -> line.contains("s3cr3t"));
	}

}
