package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolMatch;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the search of tools.
 */
class ToolSearchTests extends TestTools {

	private final CatalogFixture fixture = CatalogFixture.of(server("a"),
			server("b", (b) -> b.hideWhenUnavailable(Duration.ofHours(1))), server("c", "c", "!*secret*"));

	private final McpToolCatalog catalog = this.fixture.catalog;

	private final McpModelTools models = TestModels.of(this.catalog, Integer.MAX_VALUE);

	@Test
	void changesOfServersAreFoundAtOnce() {
		assertThat(this.models.search("read a file", 5)).isEmpty();
		this.fixture.list("a", "read_file", "write_file");
		this.fixture.list("b", "list");
		assertThat(found("read a file")).containsExactly("a_read_file", "a_write_file");
		List<McpToolMatch> matches = this.models.search("read a file", 1);
		assertThat(matches.get(0).tool()).isSameAs(this.catalog.get("a_read_file"));
		assertThat(matches.get(0).score()).isPositive();
		this.fixture.list("b", "read_file");
		this.fixture.list("a", "write_file");
		assertThat(found("read file")).containsExactly("b_read_file", "a_write_file");
		this.fixture.list("b", tool("read_file", "now for weather", null));
		assertThat(found("weather")).containsExactly("b_read_file");
		this.fixture.remove("b");
		assertThat(found("read file")).containsExactly("a_write_file");
		this.fixture.put(server("b"));
		this.fixture.list("b", "weather");
		assertThat(found("weather")).containsExactly("b_weather");
		assertThatIllegalArgumentException().isThrownBy(() -> this.models.search("read", -1));
	}

	@Test
	void onlyWhatAViewOffersIsFound() {
		this.fixture.list("a", "file_one", "file_two");
		this.fixture.list("b", "file_three");
		this.fixture.list("c", "file_four", "secret_file");
		McpToolCatalog selected = this.catalog.select("*_one", "*_three");
		assertThat(found("file")).containsExactly("a_file_one", "a_file_two", "b_file_three", "c_file_four");
		assertThat(names(selected, "file", 1)).containsExactly("a_file_one");
		assertThat(names(selected.select("b_*"), "file", 1)).containsExactly("b_file_three");
		this.fixture.connections.get("b").awayFor = Duration.ofHours(1)::equals;
		assertThat(names(selected, "file", 5)).containsExactly("a_file_one");
		assertThat(found("secret")).isEmpty();
		this.fixture.redefine(server("c", "d"));
		assertThat(found("secret file four")).contains("d_secret_file", "d_file_four").doesNotContain("c_file_four");
	}

	@Test
	void toolsOfAUserAreFoundByThatUser() {
		this.fixture.list("a", "read_file");
		TestConnection ofUser = new TestConnection("b");
		ofUser.tools = List.of(tool("read_mail"));
		this.fixture.connections.get("b").ofUser = ofUser;
		assertThat(names(this.catalog, "read", 5)).containsExactly("a_read_file", "b_read_mail");
		assertThat(names(this.catalog.forCaller(), "read", 5)).containsExactly("a_read_file", "b_read_mail");
		assertThat(names(this.catalog.forCaller().select("b_*"), "read", 5)).containsExactly("b_read_mail");
		assertThat(names(Optional.ofNullable(this.catalog.forCallerAsync().block()).orElseThrow(), "mail", 5))
			.containsExactly("b_read_mail");
		ofUser.tools = List.of(tool("write_mail"));
		assertThat(names(this.catalog.forCaller(), "mail", 5)).containsExactly("b_write_mail");
	}

	@Test
	void onlyWhatAServerChangedIsReadAgain() {
		CatalogFixture many = CatalogFixture
			.of(IntStream.range(0, 300).mapToObj("s%d"::formatted).toArray(String[]::new));
		many.connections.keySet().forEach((server) -> many.list(server, "read", "write"));
		McpModelTools models = TestModels.of(many.catalog, Integer.MAX_VALUE);
		models.search("read", 5);
		Set<Object> before = documents(models);
		assertThat(before).hasSize(600);
		many.list("s7", tool("read"), tool("write", "does weather", null));
		many.put(server("new"), "new");
		many.list("new", "read");
		assertThat(names(models, "weather", 5)).containsExactly("s7_write");
		Set<Object> after = documents(models);
		after.removeAll(before);
		assertThat(after).hasSize(2);
		many.remove("new");
		models.search("read", 5);
		assertThat(documents(models)).hasSize(600);
	}

	@Test
	void aSearchIsAFirstUse() {
		List<ToolCatalog> catalogs = new ArrayList<>();
		TestConnection connection = new TestConnection("a");
		catalogs.add(
				new ToolCatalog(() -> catalogs.get(0).servers().update(connection, List.of(tool("read")), (changes) -> {
				}), TestToolSettings.DEFAULTS));
		catalogs.get(0)
			.servers()
			.follow(() -> List.of(new ToolServer(server("a"), connection, CatalogFixture.scope(connection))), null,
					(changes) -> {
					});
		assertThat(names(TestModels.of(catalogs.get(0), Integer.MAX_VALUE), "read", 5)).containsExactly("a_read");
	}

	@Test
	void nothingIsReadBeforeTheFirstSearch() {
		this.fixture.list("a", "read");
		this.models.offered();
		assertThat(documents(this.models)).isEmpty();
	}

	@Test
	void everySearchSeesTheChangesBeforeIt() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Future<Boolean>> results = new ArrayList<>();
			List<String> servers = List.of("a", "b", "c");
			for (String server : servers) {
				Callable<Boolean> task = () -> {
					for (int i = 0; i < 200; i++) {
						String word = server + "word" + i;
						this.fixture.list(server, word);
						if (!names(this.catalog, word, 1).equals(List.of(server + "_" + word))) {
							return false;
						}
					}
					return true;
				};
				results.add(threads.submit(task));
			}
			for (Future<Boolean> result : results) {
				assertThat(result.get(60, TimeUnit.SECONDS)).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void tenThousandToolsOfOneWordAreOneSearch() {
		this.fixture.list("a",
				IntStream.range(0, 10_000)
					.mapToObj((i) -> tool("file-%04d".formatted(i), "file ".repeat(100), null))
					.toArray(Tool[]::new));
		this.fixture.list("b", tool("read_file", "Reads a file", null));
		assertThat(names(this.catalog, "read file", 1)).containsExactly("b_read_file");
		assertThat(names(this.catalog, "file", 2)).hasSize(2);
	}

	@Test
	void aCatalogOfAnotherKindCanBeSearched() {
		this.fixture.list("a", "read_file", "write_file");
		McpToolCatalog other = new ForwardingCatalog(this.catalog);
		assertThat(names(other, "read a file", 5)).containsExactly("a_read_file", "a_write_file");
	}

	// what was read of each tool
	private static Set<Object> documents(McpModelTools models) {
		Set<Object> documents = Collections.newSetFromMap(new IdentityHashMap<>());
		assertThat(models).extracting("shared.index.parts", InstanceOfAssertFactories.map(String.class, Object.class))
			.allSatisfy((server, part) -> assertThat(part)
				.extracting("tools", InstanceOfAssertFactories.map(String.class, Object.class))
				.allSatisfy((name, document) -> documents.add(document)));
		return documents;
	}

	private List<String> found(String query) {
		return names(this.models, query, 10);
	}

	private List<String> names(McpToolCatalog catalog, String query, int max) {
		return names(this.models.withCatalog(catalog), query, max);
	}

	private static List<String> names(McpModelTools models, String query, int max) {
		Collection<McpTool> tools = models.search(query, max).stream().map(McpToolMatch::tool).toList();
		return names(tools);
	}

	/**
	 * A catalog of an application, which implements what it has to.
	 */
	private record ForwardingCatalog(McpToolCatalog catalog) implements McpToolCatalog {

		@Override
		public McpTool get(String name) {
			return this.catalog.get(name);
		}

		@Override
		public Optional<McpTool> find(String name) {
			return this.catalog.find(name);
		}

		@Override
		public List<McpTool> all() {
			return this.catalog.all();
		}

		@Override
		public Map<String, McpTool> asMap() {
			return this.catalog.asMap();
		}

		@Override
		public McpToolCatalog select(String... patterns) {
			return this.catalog.select(patterns);
		}

		@Override
		public McpTool get(String name, ContextView context) {
			return this.catalog.get(name, context);
		}

		@Override
		public McpToolCatalog forCaller() {
			return this;
		}

		@Override
		public Mono<McpToolCatalog> forCallerAsync() {
			return Mono.just(this);
		}

		@Override
		public McpToolCatalog selection(String name) {
			return this.catalog.selection(name);
		}

		@Override
		public Iterator<McpTool> iterator() {
			return this.catalog.iterator();
		}

	}

}
