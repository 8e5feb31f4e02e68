package io.github.mcpclient.internal.transport.stdio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;

/**
 * A small MCP server that runs as a child process, on nothing but the JDK.
 * {@code tools/call} answers with the length of the request and an echo of the argument
 * {@code text}, one call at a time; where that is {@code busy}, only when three messages
 * more have come, such as pings.
 */
public final class StdioPeer {

	private static final Pattern ID = Pattern.compile("\"id\":(\"[^\"]*\"|\\d+)");

	private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]*)\"");

	private static final Pattern TEXT = Pattern.compile("\"text\":\"([^\"]*+)\"");

	private StdioPeer() {
	}

	/**
	 * Describe a server that this class is.
	 * @param name the name of the server
	 * @param args the encoding, where it is not UTF-8
	 * @return a builder
	 */
	static McpServerDefinitionBuilder definition(String name, String... args) {
		List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC", "-cp",
				Path.of(StdioPeer.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString(),
				StdioPeer.class.getName()));
		all.addAll(List.of(args));
		return McpServerDefinition.stdio(name, Path.of(System.getProperty("java.home"), "bin", "java").toString())
			.args(all);
	}

	public static void main(String[] args) throws IOException {
		Charset encoding = Charset.forName((args.length > 0) ? args[0] : "UTF-8");
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, encoding));
		PrintStream out = new PrintStream(System.out, false, encoding);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			List<String> waiting = new ArrayList<>();
			while (line.contains("\"busy\"") && waiting.size() < 3) {
				waiting.add(in.readLine());
			}
			answer(line, out);
			waiting.forEach((other) -> answer(other, out));
		}
	}

	private static void answer(String line, PrintStream out) {
		Matcher id = ID.matcher(line);
		Matcher method = METHOD.matcher(line);
		if (id.find() && method.find()) {
			out.print("{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":" + result(method.group(1), line)
					+ "}\n");
			out.flush();
		}
	}

	private static String result(String method, String line) {
		return switch (method) {
			case "initialize" -> """
					{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
					"serverInfo":{"name":"peer","version":"1"}}""";
			case "tools/list" -> """
					{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}""";
			case "tools/call" -> {
				if (line.contains("\"exit\"")) {
					System.err.println("told to exit");
					System.exit(7);
				}
				Matcher text = TEXT.matcher(line);
				yield "{\"length\":" + line.length() + ",\"content\":[{\"type\":\"text\",\"text\":\""
						+ (text.find() ? text.group(1) : "") + "\"}]}";
			}
			default -> "{}";
		};
	}

}
