package io.github.mcpclient.integration.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteContext;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.ResourceReference;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers that others wrote, with all the tools, prompts and resources that each has.
 */
class WholePeersTests {

	@Test
	void everythingOverStdio() {
		ClientApplication application = ClientApplication.start("mcp.servers.every.command=node",
				"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio");
		useEverything(application);
	}

	@Test
	void everythingOverStreamableHttp() {
		Peers.Running server = Peers.everything("streamableHttp");
		ClientApplication application = ClientApplication
			.start("mcp.servers.every.url=http://localhost:" + server.port() + "/mcp");
		useEverything(application);
	}

	@Test
	void handlersForEverythingOverStdio() {
		ClientApplication application = ClientApplication.start(Handlers.class, "mcp.servers.every.command=node",
				"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio",
				"mcp.servers.every.roots.directories=/srv/project", "mcp.servers.every.request-timeout=3s");
		useHandlers(application);
	}

	@Test
	void handlersForEverythingOverStreamableHttp() {
		Peers.Running server = Peers.everything("streamableHttp");
		ClientApplication application = ClientApplication.start(Handlers.class,
				"mcp.servers.every.url=http://localhost:" + server.port() + "/mcp",
				"mcp.servers.every.roots.directories=/srv/project", "mcp.servers.every.request-timeout=3s");
		useHandlers(application);
	}

	private static void useHandlers(ClientApplication application) {
		Caller caller = new Caller(application, "every");
		// some come when the server has seen the roots
		await(() -> caller.tools().size() == 17);
		assertThat(caller.server().excludedTools()).isEmpty();
		assertThat(caller.text("trigger-sampling-request", Map.of("prompt", "the weather", "maxTokens", 7)))
			.contains("Resource trigger-sampling-request context: the weather, in 7 tokens")
			.contains("\"role\": \"assistant\"");
		assertThat(caller.text("trigger-elicitation-request", Map.of())).contains("- Name: Ada")
			.contains("- Favorite Integer: 42")
			.contains("\"titledMultipleSelectEnum\": [");
		assertThat(caller.text("get-roots-list", Map.of())).contains("1. project\n   URI: file:///srv/project");
		Map<String, Object> url = Map.of("url", "https://a.example/login", "message", "Log in");
		assertThat(caller.text("trigger-url-elicitation", url)).contains("completed the URL elicitation flow")
			.contains("URL: https://a.example/login");
		Map<String, Object> required = Map.of("url", "https://a.example/login", "errorPath", true);
		// it does not say when the user is done
		assertThatExceptionOfType(McpUrlElicitationRequiredException.class)
			.isThrownBy(() -> caller.call("trigger-url-elicitation", required))
			.satisfies((ex) -> assertThat(ex.getElicitations()).extracting(ElicitUrlRequest::url)
				.containsExactly("https://modelcontextprotocol.io"));
		assertThat(caller.text("trigger-url-elicitation", required)).contains("completed the URL elicitation flow");
	}

	private static void useEverything(ClientApplication application) {
		McpServer server = application.registry().server("every");
		assertThat(server.status().state()).isEqualTo(McpServerState.READY);
		useToolsOfEverything(new Caller(application, "every"));
		usePromptsOfEverything(server);
		useResourcesOfEverything(server);
		assertThat(server.status().prompts()).isEqualTo(4);
		assertThat(server.status().resourceTemplates()).isEqualTo(2);
	}

	private static void useToolsOfEverything(Caller caller) {
		assertThat(caller.text("echo", Map.of("message", "grüß dich"))).isEqualTo("Echo: grüß dich");
		assertThat(caller.call("get-annotated-message", Map.of("messageType", "error", "includeImage", true)).content())
			.satisfiesExactly((item) -> {
				assertThat(((TextContent) item).text()).isEqualTo("Error: Operation failed");
				assertThat(((TextContent) item).annotations().audience()).containsExactly(Role.USER, Role.ASSISTANT);
				assertThat(((TextContent) item).annotations().priority()).isEqualTo(1);
			}, (item) -> assertThat(((ImageContent) item).mimeType()).isEqualTo("image/png"));
		assertThat(caller.text("get-env", Map.of())).startsWith("{").contains("\"PATH\":");
		assertThat(caller.call("get-resource-links", Map.of("count", 2)).content())
			.filteredOn(ResourceLink.class::isInstance)
			.extracting((item) -> ((ResourceLink) item).uri())
			.containsExactly("demo://resource/dynamic/blob/1", "demo://resource/dynamic/text/2");
		assertThat(caller.call("get-resource-reference", Map.of("resourceType", "Blob", "resourceId", 3)).content())
			.filteredOn(EmbeddedResource.class::isInstance)
			.singleElement()
			.satisfies(
					(item) -> assertThat(((EmbeddedResource) item).resource()).isInstanceOf(BlobResourceContents.class)
						.extracting(ResourceContents::uri)
						.isEqualTo("demo://resource/dynamic/blob/3"));
		assertThat(caller.call("get-structured-content", Map.of("location", "Chicago")).structuredContent())
			.isEqualTo(Map.of("temperature", 36, "conditions", "Light rain / drizzle", "humidity", 82));
		assertThat(caller.text("get-sum", Map.of("a", 2, "b", 3))).isEqualTo("The sum of 2 and 3 is 5.");
		assertThat(caller.call("get-tiny-image", Map.of()).content()).hasSize(3)
			.filteredOn(ImageContent.class::isInstance)
			.singleElement()
			.satisfies((item) -> assertThat(Base64.getDecoder().decode(((ImageContent) item).data())).startsWith(0x89,
					'P', 'N', 'G'));
		assertThat(caller
			.call("gzip-file-as-resource",
					Map.of("name", "a.gz", "data", "data:text/plain;base64,aGVsbG8=", "outputType", "resource"))
			.content()).singleElement()
			.satisfies((item) -> assertThat(((EmbeddedResource) item).resource().mimeType())
				.isEqualTo("application/gzip"));
		assertThat(caller.text("toggle-simulated-logging", Map.of())).startsWith("Started simulated");
		assertThat(caller.text("toggle-subscriber-updates", Map.of())).startsWith("Started simulated");
		assertThat(caller.text("trigger-long-running-operation", Map.of("duration", 0.2, "steps", 2)))
			.isEqualTo("Long running operation completed. Duration: 0.2 seconds, Steps: 2.");
		assertThat(caller.text("simulate-research-query", Map.of("topic", "moss"))).contains("Research Report: moss");
		assertThat(caller.called()).isEqualTo(caller.tools()).hasSize(13);
		assertThat(caller.server().excludedTools()).isEmpty();
	}

	private static void usePromptsOfEverything(McpServer server) {
		assertThat(server.prompts()).extracting(Prompt::name)
			.containsExactly("simple-prompt", "args-prompt", "completable-prompt", "resource-prompt");
		assertThat(server.prompts().get(1).arguments()).extracting((argument) -> argument.name() + argument.required())
			.containsExactly("citytrue", "statefalse");
		assertThat(text(server.getPrompt("simple-prompt", Map.of())))
			.isEqualTo("This is a simple prompt without arguments.");
		assertThat(text(server.getPrompt("args-prompt", Map.of("city", "Paris", "state", "Texas"))))
			.isEqualTo("What's weather in Paris, Texas?");
		assertThat(text(server.getPrompt("completable-prompt", Map.of("department", "Engineering", "name", "Alice"))))
			.isEqualTo("Please promote Alice to the head of the Engineering team.");
		GetPromptResult resource = server.getPrompt("resource-prompt",
				Map.of("resourceType", "Text", "resourceId", "2"));
		assertThat(resource.messages().get(1).role()).isEqualTo(Role.USER);
		assertThat(((EmbeddedResource) resource.messages().get(1).content()).resource().uri())
			.isEqualTo("demo://resource/dynamic/text/2");
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> server.getPrompt("none", Map.of()))
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(-32602));
		PromptReference prompt = PromptReference.builder("completable-prompt").build();
		assertThat(server.complete(CompleteRequest.builder(prompt, new CompleteArgument("department", "E")).build())
			.completion()
			.values()).containsExactly("Engineering");
		assertThat(server
			.complete(CompleteRequest.builder(prompt, new CompleteArgument("name", "A"))
				.context(new CompleteContext(Map.of("department", "Engineering")))
				.build())
			.completion()
			.values()).containsExactly("Alice");
	}

	private static void useResourcesOfEverything(McpServer server) {
		// its documents, and the one that the tool has made
		await(() -> server.features().resources().size() == 8);
		assertThat(server.resources()).allSatisfy((resource) -> {
			ResourceContents contents = server.readResource(resource.uri()).contents().get(0);
			assertThat(contents.uri()).isEqualTo(resource.uri());
			if (resource.uri().endsWith(".md")) {
				assertThat(((TextResourceContents) contents).text()).startsWith("#");
			}
			else {
				assertThat(Base64.getDecoder().decode(((BlobResourceContents) contents).blob())).startsWith(0x1f, 0x8b);
			}
		});
		assertThat(server.resourceTemplates()).extracting(ResourceTemplate::uriTemplate)
			.containsExactly("demo://resource/dynamic/text/{resourceId}", "demo://resource/dynamic/blob/{resourceId}");
		assertThat(
				((TextResourceContents) server.readResource("demo://resource/dynamic/text/7").contents().get(0)).text())
			.startsWith("Resource 7: This is a plaintext resource");
		assertThat(new String(Base64.getDecoder()
			.decode(((BlobResourceContents) server.readResource("demo://resource/dynamic/blob/7").contents().get(0))
				.blob()), StandardCharsets.UTF_8))
			.startsWith("Resource 7: This is a base64 blob");
		assertThat(
				server
					.complete(
							CompleteRequest
								.builder(new ResourceReference("demo://resource/dynamic/text/{resourceId}"),
										new CompleteArgument("resourceId", "1"))
								.build())
					.completion()
					.values())
			.containsExactly("1");
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> server.readResource("demo://none"))
			.withMessageContaining("resources/read demo://none");
	}

	@Test
	void filesystem(@TempDir Path directory) throws IOException {
		Path root = directory.toRealPath();
		Path notes = Files.writeString(root.resolve("notes.txt"), "first line\nsecond line\n");
		Path image = Files.write(root.resolve("p.png"), new byte[] { (byte) 0x89, 'P', 'N', 'G' });
		Path draft = root.resolve("draft.txt");
		Path folder = root.resolve("folder");
		ClientApplication application = ClientApplication.start("mcp.servers.fs.command=node",
				"mcp.servers.fs.args=" + Peers.script("server-filesystem") + "," + root);
		Caller caller = new Caller(application, "fs");
		assertThat(caller.server().tools())
			.filteredOn((tool) -> tool.annotations().destructiveHint() != null && tool.annotations().destructiveHint())
			.extracting(McpTool::originalName)
			.containsExactly("edit_file", "move_file", "write_file");
		assertThat(caller.structured("read_file", path(notes))).isEqualTo("first line\nsecond line\n");
		assertThat(caller.structured("read_text_file", Map.of("path", notes.toString(), "head", 1)))
			.isEqualTo("first line");
		assertThat(caller.call("read_media_file", path(image)).content()).singleElement()
			.satisfies((item) -> assertThat(((ImageContent) item).data()).isEqualTo("iVBORw=="));
		assertThat(caller.structured("read_multiple_files",
				Map.of("paths", List.of(notes.toString(), root.resolve("none").toString()))))
			.contains("second line")
			.contains("ENOENT");
		caller.structured("write_file", Map.of("path", draft.toString(), "content", "written"));
		assertThat(draft).hasContent("written");
		assertThat(caller.structured("edit_file",
				Map.of("path", draft.toString(), "edits", List.of(Map.of("oldText", "written", "newText", "edited")))))
			.contains("-written")
			.contains("+edited");
		assertThat(draft).hasContent("edited");
		caller.structured("create_directory", path(folder));
		assertThat(folder).isDirectory();
		assertThat(caller.structured("list_directory", path(root)))
			.isEqualTo("[FILE] draft.txt\n[DIR] folder\n[FILE] notes.txt\n[FILE] p.png");
		assertThat(caller.structured("list_directory_with_sizes", path(root)))
			.contains("Total: 3 files, 1 directories");
		assertThat(caller.structured("directory_tree", path(root))).contains("\"children\": []");
		caller.structured("move_file",
				Map.of("source", draft.toString(), "destination", folder.resolve("done.txt").toString()));
		assertThat(folder.resolve("done.txt")).hasContent("edited");
		assertThat(caller.structured("search_files", Map.of("path", root.toString(), "pattern", "**/*.txt")))
			.isEqualTo(folder.resolve("done.txt") + "\n" + notes);
		assertThat(caller.structured("get_file_info", path(notes))).contains("size: 23").contains("isFile: true");
		assertThat(caller.structured("list_allowed_directories", Map.of())).isEqualTo("Allowed directories:\n" + root);
		assertThatExceptionOfType(McpToolException.class)
			.isThrownBy(() -> caller.call("read_text_file", Map.of("path", "/etc/passwd")))
			.withMessageContaining("Access denied");
		assertThat(caller.called()).isEqualTo(caller.tools()).hasSize(14);
		assertThat(caller.server().prompts()).isEmpty();
		assertThat(caller.server().resources()).isEmpty();
		assertThat(caller.server().resourceTemplates()).isEmpty();
		assertThatExceptionOfType(McpUnsupportedException.class)
			.isThrownBy(() -> caller.server().readResource("file:///etc/passwd"))
			.withMessage("MCP server 'fs' cannot be sent resources/read: it does not declare the capability"
					+ " 'resources'.");
	}

	private static Map<String, Object> path(Path path) {
		return Map.of("path", path.toString());
	}

	@Test
	void memory(@TempDir Path directory) {
		Path file = directory.resolve("memory.json");
		Map<String, Object> spring = Map.of("name", "Spring", "entityType", "framework", "observations",
				List.of("boots"));
		Map<String, Object> extending = Map.of("from", "Boot", "to", "Spring", "relationType", "extends");
		ClientApplication application = ClientApplication.start("mcp.servers.memory.command=node",
				"mcp.servers.memory.args=" + Peers.script("server-memory"),
				"mcp.servers.memory.env.MEMORY_FILE_PATH=" + file);
		Caller caller = new Caller(application, "memory");
		caller.call("create_entities", Map.of("entities",
				List.of(spring, Map.of("name", "Boot", "entityType", "module", "observations", List.of()))));
		assertThat(caller.call("create_relations", Map.of("relations", List.of(extending))).structuredContent())
			.isEqualTo(Map.of("relations", List.of(extending)));
		assertThat(
				caller
					.call("add_observations",
							Map.of("observations",
									List.of(Map.of("entityName", "Boot", "contents", List.of("fast", "small")))))
					.structuredContent())
			.isEqualTo(Map.of("results",
					List.of(Map.of("entityName", "Boot", "addedObservations", List.of("fast", "small")))));
		Map<String, Object> boot = Map.of("name", "Boot", "entityType", "module", "observations",
				List.of("fast", "small"));
		assertThat(caller.call("read_graph", Map.of()).structuredContent())
			.isEqualTo(Map.of("entities", List.of(spring, boot), "relations", List.of(extending)));
		assertThat(caller.call("search_nodes", Map.of("query", "fast")).structuredContent())
			.isEqualTo(Map.of("entities", List.of(boot), "relations", List.of(extending)));
		assertThat(caller.call("open_nodes", Map.of("names", List.of("Spring"))).structuredContent())
			.isEqualTo(Map.of("entities", List.of(spring), "relations", List.of(extending)));
		caller.call("delete_observations",
				Map.of("deletions", List.of(Map.of("entityName", "Boot", "observations", List.of("small")))));
		assertThat(file).content().contains("fast").doesNotContain("small");
		caller.call("delete_relations", Map.of("relations", List.of(extending)));
		assertThat(file).content().doesNotContain("extends");
		caller.call("delete_entities", Map.of("entityNames", List.of("Boot")));
		assertThat(caller.called()).isEqualTo(caller.tools()).hasSize(9);
		assertThat(caller.server().prompts()).isEmpty();
		assertThat(caller.server().resourceTemplates()).isEmpty();
		assertThat(caller.server().resources()).extracting(Resource::uri).containsExactly("memory://knowledge-graph");
		assertThat(((TextResourceContents) caller.server().readResource("memory://knowledge-graph").contents().get(0))
			.text()).contains("Spring").doesNotContain("Boot");
	}

	private static String text(GetPromptResult result) {
		assertThat(result.messages()).hasSize(1);
		assertThat(result.messages().get(0).role()).isEqualTo(Role.USER);
		return ((TextContent) result.messages().get(0).content()).text();
	}

	private static void await(Supplier<Boolean> condition) {
		Awaitility.await().until(condition::get);
	}

	/**
	 * A model that repeats what it is told, and a user who accepts everything.
	 */
	static class Handlers {

		@McpSampling
		CreateMessageResult sample(CreateMessageRequest request) {
			String text = ((TextContent) request.messages().get(0).content()).text();
			return CreateMessageResult
				.builder(Role.ASSISTANT, text + ", in " + request.maxTokens() + " tokens", "parrot")
				.build();
		}

		@McpElicitation(clients = "every")
		ElicitResult elicit(ElicitRequest request) {
			return ElicitResult.builder(ElicitResult.Action.ACCEPT).content(Map.of("name", "Ada")).build();
		}

	}

	/**
	 * Calls the tools of a server and keeps in mind which.
	 */
	private record Caller(ClientApplication application, String name, Set<String> called) {

		Caller(ClientApplication application, String name) {
			this(application, name, new TreeSet<>());
		}

		ManagedMcpServer server() {
			return this.application.manager().server(this.name);
		}

		Set<String> tools() {
			Set<String> names = new TreeSet<>();
			server().tools().forEach((tool) -> names.add(tool.originalName()));
			return names;
		}

		McpToolResult call(String tool, Map<String, Object> arguments) {
			this.called.add(tool);
			return this.application.registry().callTool(this.name + "_" + tool, arguments).orThrow();
		}

		String text(String tool, Map<String, Object> arguments) {
			return call(tool, arguments).text();
		}

		/**
		 * Return the text that an answer has as structured content, too.
		 */
		String structured(String tool, Map<String, Object> arguments) {
			McpToolResult result = call(tool, arguments);
			assertThat(result.structuredContent()).isEqualTo(Map.of("content", result.text()));
			return result.text();
		}

	}

}
