package io.github.mcpclient.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server on standard input and output that answers as {@link StubServer} does.
 */
public final class StdioServer {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private StdioServer() {
	}

	/**
	 * Serve until standard input ends.
	 * @param args ignored
	 * @throws IOException if standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String line = input.readLine(); line != null; line = input.readLine()) {
				JsonNode message = JSON.readTree(line);
				JsonNode id = message.get("id");
				if (id != null) {
					output.print(StubServer.answer(message, id) + "\n");
					output.flush();
				}
			}
		}
	}

}
