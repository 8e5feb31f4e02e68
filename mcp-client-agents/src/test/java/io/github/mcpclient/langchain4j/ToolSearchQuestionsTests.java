package io.github.mcpclient.langchain4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.search.ToolSearchRequest;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fifty questions, and whether the right tool of ten servers of npm is found. What is
 * read of their tools was captured from the packages that {@code tools.json} names; the
 * questions were written before the search was.
 */
class ToolSearchQuestionsTests {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, String> questions = read("questions.json", new TypeReference<>() {
	});

	private final List<RealServer> servers = read("tools.json", new TypeReference<>() {
	});

	private final ClientApplication application = ClientApplication.start(this.servers.stream()
		.map((server) -> "mcp.servers." + server.name() + ".url="
				+ McpTestServer.create().tools(server.tools()).start().url())
		.toArray(String[]::new));

	@Test
	void theRightToolIsFound() throws IOException {
		McpModelTools tools = this.application.context().getBean(McpModelTools.class);
		assertThat(tools.catalog().all()).hasSize(176);
		assertThat(this.questions).hasSize(50);
		Score ours = score(
				(question) -> tools.search(question, 5).stream().map((match) -> match.tool().name()).toList());
		assertThat(ours.amongFive()).as("not found: " + ours.missed()).isGreaterThanOrEqualTo(45);
		Score everyWord = score((question) -> simple(question, 1));
		Score longWords = score((question) -> simple(question, 4));
		assertThat(Files.readString(Path.of("../docs/agents.md"))).contains(
				"| `McpModelTools.search` | " + ours.first() + " | " + ours.amongFive() + " |",
				"| `SimpleToolSearchStrategy`, matching all words | " + everyWord.first() + " | "
						+ everyWord.amongFive() + " |",
				"| `SimpleToolSearchStrategy`, matching words of at least four letters | " + longWords.first() + " | "
						+ longWords.amongFive() + " |");
	}

	private Score score(Function<String, List<String>> search) {
		int first = 0;
		List<String> missed = new ArrayList<>();
		for (Map.Entry<String, String> question : this.questions.entrySet()) {
			List<String> found = search.apply(question.getValue());
			first += (found.indexOf(question.getKey()) == 0) ? 1 : 0;
			if (!found.contains(question.getKey())) {
				missed.add(question.getValue());
			}
		}
		return new Score(first, this.questions.size() - missed.size(), missed);
	}

	// what a model gives to LangChain4j's strategy are single words
	private List<String> simple(String question, int shortest) {
		List<ToolSpecification> tools = this.application.context()
			.getBean(McpCatalogToolProvider.class)
			.provideTools(null)
			.aiServiceTools()
			.stream()
			.map(AiServiceTool::toolSpecification)
			.toList();
		List<String> terms = Stream.of(question.split("[^A-Za-z0-9.]+"))
			.filter((word) -> word.length() >= shortest)
			.toList();
		return new SimpleToolSearchStrategy()
			.search(ToolSearchRequest.builder()
				.toolExecutionRequest(ToolExecutionRequest.builder()
					.name("tool_search_tool")
					.arguments(mapper.writeValueAsString(Map.of("terms", terms)))
					.build())
				.searchableTools(tools)
				.invocationContext(InvocationContext.builder().build())
				.build())
			.foundToolNames();
	}

	private static <T> T read(String file, TypeReference<T> type) {
		return mapper
			.readValue(ToolSearchQuestionsTests.class.getResourceAsStream("/io/github/mcpclient/search/" + file), type);
	}

	record RealServer(String name, String packageName, List<Map<String, Object>> tools) {
	}

	record Score(int first, int amongFive, List<String> missed) {
	}

}
