package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ListingCustomizers}, {@link ServerListing} and {@link CustomizedTool}.
 */
class ListingCustomizersTests extends TestTools {

	private static final Function<McpToolRequest, Mono<CallToolResult>> ANSWER = (request) -> Mono
		.just(CallToolResult.builder().addTextContent("answered " + request.arguments()).build());

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final List<String> asked = new ArrayList<>();

	private Executor threads = Runnable::run;

	private Supplier<Mono<Void>> preparation = Mono::empty;

	private Consumer<McpToolListingCustomizer.Listing> prepare = (listing) -> {
	};

	private Consumer<McpToolListingCustomizer.ListedTool> customize = (tool) -> {
	};

	private final CatalogFixture fixture = fixture(server("a"));

	private CatalogFixture fixture(McpServerDefinition... servers) {
		return fixture(this.time, List.of(new Customizer()), servers);
	}

	private CatalogFixture fixture(Scheduler scheduler, List<McpToolListingCustomizer> customizers,
			McpServerDefinition... servers) {
		ServerThreads threads = new ServerThreads("test", new Limits(2, 10), (task) -> this.threads.execute(task),
				scheduler);
		return new CatalogFixture(new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null, TestToolSettings.NONE,
				Map.of(), new ListingCustomizers(customizers, threads, scheduler)), servers);
	}

	private void list(Tool... tools) {
		list(this.fixture, "a", tools);
	}

	private static void list(CatalogFixture fixture, String server, Tool... tools) {
		fixture.prepare(server, tools);
		fixture.list(server, tools);
	}

	@Test
	void aToolIsLeftOutOrShownOtherwise() {
		this.customize = (tool) -> {
			if (tool.name().startsWith("a_secret")) {
				tool.exclude("it is secret");
			}
			tool.show(tool(tool.tool().name(), "shown", null));
		};
		list(tool("secret_x"), tool("y"));
		assertThat(this.fixture.names()).containsExactly("a_y");
		assertThat(this.fixture.catalog.get("a_y").description()).isEqualTo("shown");
		assertThat(this.fixture.reason("a", "secret_x")).isEqualTo("it is secret");
	}

	@Test
	void aToolThatCannotBeCustomizedIsLeftOut() {
		this.customize = (tool) -> {
			if (!tool.matches(List.of("good"))) {
				tool.show(tool("other"));
			}
		};
		list(tool("good"), tool("bad"));
		assertThat(this.fixture.names()).containsExactly("a_good");
		assertThat(this.fixture.reason("a", "bad")).startsWith("the McpToolListingCustomizer ")
			.contains("Customizer failed: ", "The name of a tool must not change");
	}

	@Test
	void noToolIsShownWhereThePreparationFails() {
		this.preparation = () -> Mono.error(new IllegalStateException("no database"));
		list(tool("x"));
		assertThat(this.fixture.names()).isEmpty();
		assertThat(this.fixture.reason("a", "x")).contains("Customizer failed: ", "no database");
		this.preparation = () -> {
			throw new IllegalStateException("no driver");
		};
		list(tool("x"), tool("y"));
		assertThat(this.fixture.reason("a", "y")).contains("no driver");
		this.preparation = Mono::empty;
		// the same tools
		this.fixture.prepare("a", tool("x"), tool("y"));
		assertThat(this.fixture.names()).containsExactly("a_x", "a_y");
	}

	@Test
	void noToolIsShownWhereThePreparationTakesTooLong() {
		this.preparation = Mono::never;
		this.fixture.prepare("a", tool("x"));
		assertThat(this.asked).isEmpty();
		this.time.advanceTimeBy(server("a").timeouts().initialization().dividedBy(3));
		this.fixture.list("a", tool("x"));
		assertThat(this.fixture.names()).isEmpty();
		assertThat(this.fixture.reason("a", "x")).endsWith("it took longer than 6666 ms");
	}

	@Test
	void whatIsPreparedMayBlock() {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		this.preparation = () -> Mono.fromRunnable(() -> thread.complete(Thread.currentThread()));
		Scheduler signals = Schedulers.newSingle("signals");
		try {
			fixture(signals, List.of(new Customizer()), server("a")).prepare("a", tool("x"));
			assertThat(thread.join()).as("a thread of the server").isSameAs(Thread.currentThread());
		}
		finally {
			signals.dispose();
		}
	}

	@Test
	void theOneThatFailsToPrepareIsNamed() {
		McpToolListingCustomizer well = (tool) -> {
		};
		this.preparation = () -> {
			throw new IllegalStateException("no driver");
		};
		CatalogFixture fixture = fixture(this.time, List.of(well, new Customizer(), well), server("a"));
		list(fixture, "a", tool("x"));
		assertThat(fixture.reason("a", "x")).contains("Customizer failed: ", "no driver");
		this.preparation = () -> null;
		list(fixture, "a", tool("y"));
		assertThat(fixture.reason("a", "y")).contains("Customizer failed: ");
	}

	@Test
	void aToolIsAddedWhileAnythingIsPrepared() {
		List<McpToolListingCustomizer.Listing> listings = new ArrayList<>();
		this.prepare = listings::add;
		this.preparation = () -> Mono.delay(Duration.ofSeconds(1), this.time)
			.doOnNext((tick) -> listings.get(0).add("test", tool("late"), ANSWER))
			.then();
		this.fixture.prepare("a", tool("x"));
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		this.fixture.list("a", tool("x"));
		assertThat(this.fixture.names()).containsExactly("a_late", "a_x");
		assertThatIllegalStateException().isThrownBy(() -> listings.get(0).add("test", tool("later"), ANSWER));
	}

	@Test
	void whatIsKeptForAServerIsMadeWithoutALock() {
		ToolServer.Scope scope = CatalogFixture.scope(new TestConnection("a"));
		AtomicInteger kept = scope.state(AtomicInteger.class, () -> {
			scope.state(AtomicInteger.class, () -> new AtomicInteger(1));
			return new AtomicInteger(2);
		});
		assertThat(kept).hasValue(1);
	}

	@Test
	void anotherServerDoesNotWait() {
		CatalogFixture fixture = fixture(server("a"), server("b"));
		this.preparation = Mono::never;
		fixture.prepare("a", tool("x"));
		this.preparation = Mono::empty;
		list(fixture, "b", tool("x"));
		assertThat(fixture.names()).containsExactly("b_x");
	}

	@Test
	void addedToolsAreAsThoseOfTheServer() {
		this.prepare = (listing) -> {
			assertThat(listing.offers("resources")).isFalse();
			List.of("list", "read", "hidden").forEach((name) -> listing.add("resources.as-tools", tool(name), ANSWER));
			assertThat(listing.tools()).extracting(Tool::name).containsExactly("read", "list", "hidden");
		};
		CatalogFixture fixture = fixture(server("a", null, "!hidden"));
		list(fixture, "a", tool("read"));
		assertThat(fixture.names()).containsExactly("a_list", "a_read");
		assertThat(fixture.catalog.get("a_list").call(Map.of("x", 1)).text()).isEqualTo("answered {x=1}");
		assertThat(fixture.catalog.entry("a_read").customized().handler()).isNull();
		assertThat(fixture.catalog.excludedToolsOf(fixture.connections.get("a")))
			.extracting((tool) -> tool.originalName() + ": " + tool.reason())
			.containsExactly("hidden: mcp.servers.a.tools.filter denies it: !hidden",
					"read: resources.as-tools adds none of this name: the server has one");
	}

	@Test
	void customizersAreAskedBeforeTheToolsAreUsed() {
		this.fixture.prepare("a", tool("x"));
		assertThat(this.asked).containsExactly("a_x");
		this.fixture.list("a", tool("x"));
		assertThat(this.asked).containsExactly("a_x");
		// its name looks like that of a tool of another server now
		list(tool("x"), tool("b_y"));
		this.asked.clear();
		this.fixture.put(server("b"));
		assertThat(this.asked).containsExactly("a_b_y");
	}

	@Test
	void theSameListingKeepsItsEntries() {
		list(tool("x"));
		McpTool before = this.fixture.catalog.get("a_x");
		ToolEntry entry = this.fixture.catalog.entry("a_x");
		this.fixture.prepare("a", tool("x"));
		assertThat(this.asked).hasSize(2);
		assertThat(this.fixture.catalog.entry("a_x")).isSameAs(entry);
		assertThat(this.fixture.catalog.get("a_x")).isSameAs(before);
	}

	@Test
	void customizersMayHaveAnotherAnswerLater() {
		List<McpToolListingCustomizer.Listing> listings = new ArrayList<>();
		this.prepare = listings::add;
		list(tool("x"), tool("y"));
		this.customize = (tool) -> {
			if (tool.matches(List.of("x"))) {
				tool.exclude("of late");
			}
		};
		assertThat(this.fixture.names()).containsExactly("a_x", "a_y");
		listings.get(0).applyAgain().subscribe();
		assertThat(this.fixture.names()).containsExactly("a_y");
		this.fixture.remove("a");
		this.asked.clear();
		listings.get(0).applyAgain().subscribe();
		assertThat(this.asked).isEmpty();
	}

	@Test
	void whatIsKeptForAServerOutlivesItsConnection() {
		List<Object> states = new ArrayList<>();
		this.prepare = (listing) -> states.add(listing.state(List.class, ArrayList::new));
		list(tool("x"));
		this.fixture.restart();
		list(tool("x"), tool("y"));
		this.fixture.remove("a");
		this.fixture.put(server("a"));
		list(tool("x"));
		assertThat(states).hasSize(3);
		assertThat(states.get(1)).isSameAs(states.get(0));
		assertThat(states.get(2)).isNotSameAs(states.get(0));
	}

	@Test
	void customizersPrepareAgainWhereADefinitionIsReplaced() {
		this.customize = (tool) -> {
			if (!tool.listing().definition().tools().filter().isEmpty()) {
				tool.exclude("not yet");
			}
		};
		list(tool("x"));
		this.prepare = (listing) -> this.customize = (tool) -> {
		};
		this.fixture.redefine(server("a", null, "x"));
		assertThat(this.fixture.names()).containsExactly("a_x");
	}

	@Test
	void whatIsReplacedDuringThePreparationIsPreparedFor() {
		List<McpServerDefinition> prepared = new ArrayList<>();
		this.prepare = (listing) -> {
			prepared.add(listing.definition());
			listing.add("test", tool("added" + prepared.size()), ANSWER);
		};
		this.preparation = () -> Mono.delay(Duration.ofSeconds(1), this.time).then();
		McpServerDefinition other = server("a", null, "*");
		this.fixture.prepare("a", tool("x"));
		this.fixture.redefine(other);
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		this.fixture.list("a", tool("x"));
		assertThat(prepared).hasSize(2).last().isSameAs(other);
		this.fixture.redefine(other);
		assertThat(this.fixture.names()).as("meanwhile").containsExactly("a_added1", "a_x");
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.fixture.names()).containsExactly("a_added2", "a_x");
		// and where it lists the same tools
		this.fixture.prepare("a", tool("x"));
		this.fixture.redefine(server("a"));
		this.time.advanceTimeBy(Duration.ofSeconds(2));
		assertThat(prepared.size()).as("the redefinition, and what was listed by the other").isGreaterThan(3);
		McpServerDefinition last = this.fixture.catalog.state().servers().get("a").server().definition();
		assertThat(prepared).last().isSameAs(last);
		assertThat(this.fixture.names()).containsExactly("a_added" + prepared.size(), "a_x");
	}

	@Test
	void noToolIsShownWhereTheAnswerTakesTooLong() {
		List<McpToolListingCustomizer.Listing> listings = new ArrayList<>();
		this.prepare = listings::add;
		list(tool("x"));
		// no thread ever answers
		this.threads = (task) -> {
		};
		AtomicInteger completed = new AtomicInteger();
		listings.get(0).applyAgain().subscribe(null, null, completed::incrementAndGet);
		assertThat(this.fixture.names()).containsExactly("a_x");
		this.time.advanceTimeBy(Duration.ofSeconds(7));
		assertThat(completed).hasValue(1);
		assertThat(this.fixture.names()).isEmpty();
		assertThat(this.fixture.reason("a", "x")).contains("it took longer than 6666 ms");
		this.threads = Runnable::run;
		listings.get(0).applyAgain().subscribe();
	}

	@Test
	void addedToolsStayWhereADefinitionIsReplaced() {
		this.prepare = (listing) -> listing.add("test", tool("added"), ANSWER);
		list(tool("x"));
		this.preparation = () -> Mono.delay(Duration.ofSeconds(1), this.time).then();
		List<McpToolsChangedEvent> changes = this.fixture.redefine(server("a", null, "*"));
		assertThat(this.fixture.names()).containsExactly("a_added", "a_x");
		this.prepare = (listing) -> {
		};
		assertThat(changes).isEmpty();
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.fixture.catalog.get("a_added").call(Map.of()).text()).startsWith("answered");
		this.fixture.redefine(server("a"));
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.fixture.names()).containsExactly("a_x");
	}

	@Test
	void aListingIsPreparedOnce() {
		list(tool("x"));
		List<Object> prepared = new ArrayList<>();
		this.prepare = prepared::add;
		List<Runnable> tasks = new ArrayList<>();
		this.threads = tasks::add;
		this.fixture.redefine(server("a", null, "*"));
		this.fixture.servers();
		assertThat(tasks).isNotEmpty();
		this.threads = Runnable::run;
		tasks.forEach(Runnable::run);
		assertThat(prepared).hasSize(1);
	}

	@Test
	void whatIsListedForAUserIsCustomizedForTheUser() {
		TestConnection all = this.fixture.connections.get("a");
		TestConnection user = new TestConnection("a");
		all.ofUser = user;
		user.tools = List.of(tool("mine"), tool("hidden"));
		this.customize = (tool) -> {
			if (tool.listing().ofUser() && tool.listing().connection() == user && tool.matches(List.of("hidden"))) {
				tool.exclude("of users");
			}
		};
		ToolServer server = this.fixture.catalog.state().servers().get("a").server();
		this.fixture.catalog.servers()
			.listed(new ToolServer(server.definition(), user, server.scope()), true, user.tools, Set.of(),
					(changes) -> {
					})
			.subscribe();
		list(tool("hidden"));
		this.asked.clear();
		assertThat(names(this.fixture.catalog.forCaller().all())).containsExactly("a_hidden", "a_mine");
		assertThat(this.asked).as("asked when it was listed").isEmpty();
	}

	private final class Customizer implements McpToolListingCustomizer {

		@Override
		public Mono<Void> prepare(Listing listing) {
			ListingCustomizersTests.this.prepare.accept(listing);
			return ListingCustomizersTests.this.preparation.get();
		}

		@Override
		public void customize(ListedTool tool) {
			ListingCustomizersTests.this.asked.add(tool.name());
			ListingCustomizersTests.this.customize.accept(tool);
		}

	}

}
