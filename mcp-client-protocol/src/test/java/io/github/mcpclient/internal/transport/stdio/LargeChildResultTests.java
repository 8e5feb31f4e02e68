package io.github.mcpclient.internal.transport.stdio;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.DuplexTransport;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what a child's transport does with a result that is larger than it may be,
 * though other messages may be as large.
 */
class LargeChildResultTests {

	private static final ClientScheduler SCHEDULER = ClientScheduler.create();

	private static final int LIMIT = 10_000;

	private static final int MAX_MESSAGE = 200_000;

	private static final String TOO_LARGE = "The server's result is larger than " + LIMIT + "B";

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The child is a shell script")
	void listingOfAChildThatIsTooLargeEndsIt(@TempDir Path directory) throws Exception {
		StdioTransport transport = child(directory, false, MAX_MESSAGE * 2);
		afterTest(() -> transport.closeGracefully().block(Duration.ofSeconds(30)));
		transport.connect((message) -> message).block(Duration.ofSeconds(30));
		send(transport, 1, "tools/list");
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> transport.termination().block(Duration.ofSeconds(30)))
			.withMessage("The process sent a message of more than " + MAX_MESSAGE + " bytes");
	}

	@ParameterizedTest
	@CsvSource({ "true, 150000", "false, 150000", "true, 5000000", "false, 5000000" })
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The child is a shell script")
	void resultOfAChildEndsTheCallOnly(boolean idFirst, int size, @TempDir Path directory) throws Exception {
		BlockingQueue<JSONRPCMessage> received = new LinkedBlockingQueue<>();
		StdioTransport transport = child(directory, idFirst, size);
		afterTest(() -> transport.closeGracefully().block(Duration.ofSeconds(30)));
		transport.termination().subscribe(null, (ex) -> {
		});
		transport.connect((message) -> message.doOnNext(received::add)).block(Duration.ofSeconds(30));
		// of which nothing comes
		send(transport, 1, "ignored");
		for (int i = 2; i <= 4; i++) {
			send(transport, i, "tools/call");
			JSONRPCResponse answer = (JSONRPCResponse) received.poll(30, TimeUnit.SECONDS);
			assertThat(answer.id()).isEqualTo(i);
			assertThat(answer.error().data()).isInstanceOf(ExceededException.class);
			assertThat(answer.error().message()).isEqualTo(TOO_LARGE);
		}
		if (size < MAX_MESSAGE) {
			send(transport, 5, "tools/list");
			JSONRPCResponse listed = (JSONRPCResponse) received.poll(30, TimeUnit.SECONDS);
			assertThat(listed.id()).isEqualTo(5);
			assertThat(listed.error()).isNull();
		}
		assertThat(received).isEmpty();
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The child is a shell script")
	void largeMessageOfAChildIsDealtWithOnAThreadOfItsServer(@TempDir Path directory) throws Exception {
		BlockingQueue<String> threads = new LinkedBlockingQueue<>();
		StdioTransport transport = child(directory, true, 50_000);
		afterTest(() -> transport.closeGracefully().block(Duration.ofSeconds(30)));
		transport.connect((message) -> message.doOnNext((next) -> threads.add(Thread.currentThread().getName())))
			.block(Duration.ofSeconds(30));
		send(transport, 1, "tools/list");
		assertThat(threads.poll(30, TimeUnit.SECONDS)).startsWith("mcp-reading-");
	}

	private static StdioTransport child(Path directory, boolean idFirst, int size) throws Exception {
		String before = idFirst ? "\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":" : "\"result\":";
		String after = idFirst ? "%.0s" : ",\"jsonrpc\":\"2.0\",\"id\":%s";
		Path script = Files.writeString(directory.resolve("child.sh"), """
				x=$(head -c SIZE /dev/zero | tr '\\0' x)
				while IFS= read -r line; do
				  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
				  case "$line" in
				  *ignored*) ;;
				  *)
				    printf '{BEFORE' "$id"
				    printf '{"text":"'; printf '%s' "$x"; printf '"}'
				    printf 'AFTER}\\n' "$id"
				  esac
				done
				""".replace("SIZE", Integer.toString(size)).replace("BEFORE", before).replace("AFTER", after));
		McpServerDefinition definition = McpServerDefinition.stdio("child", "/bin/sh", script.toString())
			.maxMessageSize(DataSize.ofBytes(MAX_MESSAGE))
			.maxResultSize(DataSize.ofBytes(LIMIT))
			.build();
		return new StdioTransport(definition, JsonMapper.builder().build(), SCHEDULER, ChildTree.Patience.STOP,
				new DuplexTransport.Skipped(definition));
	}

	private static void send(StdioTransport transport, Object id, String method) {
		transport.sendMessage(new JSONRPCRequest("2.0", method, id, Map.of())).block(Duration.ofSeconds(30));
	}

}
