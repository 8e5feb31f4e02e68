package io.github.mcpclient.benchmarks;

import java.nio.file.Path;

/**
 * A client that is measured: the module that has it on its class path, and the class that
 * drives it.
 */
enum Contestant {

	REACTOR_NETTY("Reactor Netty, bare POST", "harness", "bare.ReactorNettyPeer"),

	READING("Reactor Netty, POST that is read", "harness", "bare.ReadingPeer"),

	WEB_CLIENT("WebClient, bare POST", "harness", "bare.WebClientPeer"),

	MCP_CLIENT("This client", "mcp-client", "mcpclient.McpClientPeer"),

	NOT_OBSERVED("This client, not observed", "mcp-client", "mcpclient.NotObservedPeer"),

	OBSERVATION("Observation alone", "mcp-client", "mcpclient.ObservationPeer"),

	STATELESS("This client, 2026-07-28", "mcp-client", "mcpclient.McpClientPeer"),

	WEB_SOCKET("This client, WebSocket", "mcp-client", "mcpclient.McpClientPeer"),

	VIRTUAL_THREADS("This client, virtual threads", "mcp-client", "mcpclient.McpClientPeer"),

	HTTP_2_READING("Reactor Netty, HTTP/2 with TLS", "harness", "bare.ReadingPeer"),

	HTTP_2("This client, HTTP/2 with TLS", "mcp-client", "mcpclient.Http2Peer"),

	STDIO("This client, stdio", "mcp-client", "mcpclient.McpClientPeer"),

	BOOT("Spring Boot alone", "mcp-client", "mcpclient.BootPeer"),

	SPRING_AI("Spring AI", "spring-ai", "springai.SpringAiPeer"),

	SPRING_AI_STDIO("Spring AI, stdio", "spring-ai", "springai.SpringAiPeer"),

	LANGCHAIN4J("LangChain4j", "langchain4j", "langchain4j.LangChain4jPeer");

	// the directory of a Java whose virtual threads may wait for locks
	private static final String NEWER_JAVA = "JAVA_HOME_25";

	private final String title;

	private final String module;

	private final String className;

	Contestant(String title, String module, String className) {
		this.title = title;
		this.module = module;
		this.className = Contestant.class.getPackageName() + "." + className;
	}

	/**
	 * Return where this client finds a server.
	 * @param script the path of a script that is a server, too
	 */
	String server(Servers servers, Path script) {
		String url = servers.urls().get(0);
		return switch (this) {
			case WEB_SOCKET -> url.replaceFirst("http", "ws");
			case STATELESS -> url.replaceFirst("/mcp$", "/stateless");
			case HTTP_2, HTTP_2_READING -> servers.secureUrl();
			case STDIO, SPRING_AI_STDIO -> script.toString();
			default -> url;
		};
	}

	/**
	 * Return whether the machine has what it takes.
	 */
	boolean isPossible() {
		return this != VIRTUAL_THREADS || System.getenv(NEWER_JAVA) != null;
	}

	/**
	 * Return the directory of the Java that runs it.
	 */
	Path java() {
		return Path.of((this != VIRTUAL_THREADS) ? System.getProperty("java.home") : System.getenv(NEWER_JAVA));
	}

	String title() {
		return this.title;
	}

	String module() {
		return this.module;
	}

	String className() {
		return this.className;
	}

}
