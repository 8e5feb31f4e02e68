package io.github.mcpclient.benchmarks;

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

	MCP_CLIENT_STATELESS("This client, 2026-07-28", "mcp-client", "mcpclient.McpClientPeer"),

	MCP_CLIENT_WEB_SOCKET("This client, WebSocket", "mcp-client", "mcpclient.McpClientPeer"),

	SPRING_AI("Spring AI", "spring-ai", "springai.SpringAiPeer"),

	LANGCHAIN4J("LangChain4j", "langchain4j", "langchain4j.LangChain4jPeer");

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
	 * @param url the url for streamable HTTP
	 */
	String url(String url) {
		return switch (this) {
			case MCP_CLIENT_WEB_SOCKET -> url.replaceFirst("http", "ws");
			case MCP_CLIENT_STATELESS -> url.replaceFirst("/mcp$", "/stateless");
			default -> url;
		};
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
